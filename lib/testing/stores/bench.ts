/** A store under test, as two processes have it: two handles of one truth, or one that both use. */
import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../probe.js';
import type { StoreCheckOptions } from './report.js';
import { Trouble } from './rules.js';

/** A store, or how a process comes by a handle of it. @publicApi */
export type StoreOrMake<Store> = Store | (() => Store | PromiseLike<Store>);

/** Timers may fire, and clocks be read, a little early. */
const MARGIN = 10;
const PAUSE = 60;
const PATIENCE = 2_000;

/** How many ask at once. @internal */
export const CROWD = 20;

/** @internal */
export class Bench<Store extends object> {
  readonly pause: number;
  readonly patience: number;
  private readonly wait: (ms: number) => unknown;
  private readonly suffix = Math.random().toString(36).slice(2, 10);
  private keys = 0;
  private turn = 0;

  constructor(
    /** the second is another process; the same one if there is only one */
    public handles: readonly [Store, Store],
    { wait = pause, pause: short = PAUSE, patience = PATIENCE }: StoreCheckOptions,
  ) {
    this.wait = wait;
    this.pause = short;
    this.patience = patience;
  }

  /** The processes take turns. */
  next(): Store {
    return this.handles[this.turn++ % 2]!;
  }

  /** A key that nobody else uses. */
  key(about: string): string {
    return `check/${about} (${this.suffix}:${++this.keys})`;
  }

  /** By the store's clock, and a little more. */
  async pass(ms: number): Promise<void> {
    await this.wait(ms + MARGIN);
  }

  /** What an operation gives, which it does in time. */
  async ask<T>(operation: string, work: () => PromiseLike<T> | T): Promise<T> {
    let answer: { value: T } | undefined;
    try {
      answer = await within(this.patience, work());
    } catch (error) {
      throw new Trouble('rejects', `${operation} fails with ${String(error)}: let it settle with an answer`);
    }
    if (answer !== undefined) return answer.value;
    throw new Trouble('silent', `${operation} does not settle within ${this.patience} ms: let every operation end`);
  }
}

/** The class says it, if there is one and it has a name. @internal */
export function nameOfStore({ constructor }: object): string {
  const name = typeof constructor === 'function' && constructor !== Object ? constructor.name : '';
  return name || 'The store';
}

/** Two handles, if there is a way to make them. @internal */
export async function handlesOf<Store extends object>(given: StoreOrMake<Store>): Promise<[Store, Store]> {
  return typeof given === 'function' ? [await given(), await given()] : [given, given];
}
