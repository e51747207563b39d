import { Injectable } from '@nestjs/common';
import { Degraded, FallbackChain, FallbackConfigurationError } from '../../lib/index.js';
import { decorate } from './decorate.js';

/** What is wrong, as data: one entry of `FallbackConfigurationError.faults`. */
export interface Fault {
  where: string;
  option?: string;
  message: string;
}

/** The parts of a method's protection, unchecked: what a compiler would refuse can still come from outside. */
export interface Protection {
  candidates?: unknown;
  options?: unknown;
  degraded?: unknown;
}

/** A provider `Host` whose method `read` has this protection, and two spare methods. */
export function hostWith(protection: Protection, name = 'Host') {
  const { [name]: Host } = {
    [name]: class {
      label = 'no method';

      async read(): Promise<unknown> {
        return this.label;
      }

      async backup(): Promise<unknown> {
        return 'backup';
      }

      async spare(): Promise<unknown> {
        return 'spare';
      }
    },
  };
  protect(Host!, protection);
  Injectable()(Host!);
  return Host!;
}

/** Puts a protection on `read` of a class. */
export function protect(type: { prototype: object }, { candidates, options, degraded }: Protection): void {
  const decorators = [];
  if (candidates !== undefined || options !== undefined) {
    decorators.push(FallbackChain((candidates ?? []) as never, (options ?? {}) as never));
  }
  if (degraded !== undefined) decorators.push(Degraded(degraded as never));
  decorate(decorators, type.prototype, 'read');
}

/** The faults with which start-up fails; fails the test if it succeeds or fails otherwise. */
export async function faultsOf(start: () => unknown): Promise<Fault[]> {
  let error: unknown;
  try {
    await start();
  } catch (thrown) {
    error = thrown;
  }
  if (error instanceof FallbackConfigurationError) return error.faults as Fault[];
  throw new Error('expected a FallbackConfigurationError', { cause: error });
}
