/** The decorated class of the table: its method knows its instance, and can fail at every candidate. */
import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { Degraded, FallbackChain, from } from '../../../../lib/index.js';
import { decorate } from '../../../support/decorate.js';

/** Who may answer, in order. */
export const SPEAKERS = ['primary', 'backup', 'mirror', 'substitute'] as const;
type Speaker = (typeof SPEAKERS)[number];

/** How many of them fail, the first ones. */
export const outage = { failing: 0 };

/** Who was asked since it was emptied, and on which instance. */
export const asked: { readonly by: Speaker; readonly self: object }[] = [];

/** How a method of some surface looks. */
export interface Shape {
  readonly method?: string | symbol;
  /** decorators of others on the method */
  readonly beside?: readonly unknown[];
  /** hands on what is said, in the way of the surface, and gives what the method gives; default: gives what is said */
  readonly gives?: (said: string, args: any[]) => unknown;
}

/** Where our decorators stand among the others. */
export const ORDERS = ['above', 'below'] as const;
export type Order = (typeof ORDERS)[number];

export type HostType = Type<Record<string | symbol, (...args: unknown[]) => Promise<unknown>>>;

export interface Hosted {
  readonly Host: HostType;
  /** the provider of one of its candidates */
  readonly Mirror: Type;
  readonly method: string | symbol;
  /** read from a private field: throws for what is no instance */
  readonly numberOf: (host: object) => number;
}

export function hostOf({ method = 'read', beside = [], gives = (said) => said }: Shape, order: Order): Hosted {
  let made = 0;
  const speak = (by: Speaker, self: object, said: string, args: unknown[]): unknown => {
    asked.push({ by, self });
    if (SPEAKERS.indexOf(by) < outage.failing) throw new Error(`the ${by} is down`);
    return gives(said, args);
  };

  @Injectable()
  class Mirror {
    async show(...args: unknown[]): Promise<unknown> {
      return speak('mirror', this, 'mirror', args);
    }
  }

  class Host {
    readonly #number = ++made;

    static numberOf(host: Host): number {
      return host.#number;
    }

    async [method](...args: unknown[]): Promise<unknown> {
      return speak('primary', this, `primary of ${this.#number}`, args);
    }

    async backup(...args: unknown[]): Promise<unknown> {
      return speak('backup', this, `backup of ${this.#number}`, args);
    }

    substitute(args: unknown[]): unknown {
      return speak('substitute', this, `substitute of ${this.#number}`, args);
    }
  }

  const ladder = FallbackChain(['backup', from(Mirror, 'show')], { breaker: { threshold: Infinity } });
  const degraded = Degraded({
    mark: 'receipt',
    substitute(this: Host, ...args: unknown[]) {
      return this.substitute(args);
    },
  });
  const all = order === 'above' ? [ladder, degraded, ...beside] : [...beside, degraded, ladder];
  decorate(all, Host.prototype, method);
  return { Host: Host as never, Mirror, method, numberOf: (host) => Host.numberOf(host as Host) };
}
