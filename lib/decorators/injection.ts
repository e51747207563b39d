/**
 * How a decorated instance comes to its application's runtime and to the providers of its candidates: as properties
 * that Nest injects, requested while the class is decorated. So every instance that Nest builds has them, of whatever
 * scope, in whatever module, in whichever of several applications; and one built by hand has none.
 *
 * The properties are own (a Proxy around the instance finds them) and not enumerable (JSON, spread and `toEqual` do
 * not); those of frozen instances are kept beside them.
 */
import { Inject, Optional, forwardRef } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { shared } from '../core/shared.js';
import { MODULE_REF, RUNTIME } from '../fallback.constants.js';
import type { DegradedOptions } from '../substitutes/degraded-options.js';
import type { Token } from './candidate-ref.js';

const frozen = shared('frozen', () => new WeakMap<object, Map<symbol, unknown>>());

/** Asks Nest for what every decorated instance needs. @internal */
export function requestRuntime(target: object): void {
  request(target, RUNTIME, RUNTIME);
  request(target, MODULE_REF, ModuleRef);
}

/** Asks Nest for the provider of a candidate; gives the property under which an instance has it. @internal */
export function requestProvider(target: object, token: Token<unknown>): symbol {
  const slot = slotOf(target, token);
  request(target, slot, isThunk(token) ? forwardRef(token) : token);
  return slot;
}

/** The token of the provider in which `@Degraded` keeps values; undefined where it names none. @internal */
export function storeToken(degraded: DegradedOptions | undefined): Exclude<Token<unknown>, () => unknown> | undefined {
  const store = degraded?.lastKnownGood?.store;
  return typeof store === 'string' || typeof store === 'symbol' || typeof store === 'function' ? store : undefined;
}

/** A function that gives the class later, for classes that are not evaluated yet. @internal */
export function isThunk(token: Token<unknown>): token is () => Exclude<Token<unknown>, string | symbol> {
  return typeof token === 'function' && token.prototype === undefined;
}

/** The property under which instances of `target` have the provider `token`; one for each of the two. @internal */
export function slotOf(target: object, token: Token<unknown>): symbol {
  const slots = shared('slots', () => new WeakMap<object, Map<unknown, symbol>>());
  let own = slots.get(target);
  if (own === undefined) slots.set(target, (own = new Map()));
  let slot = own.get(token);
  if (slot === undefined) own.set(token, (slot = Symbol(`nestjs-fallback candidate ${String(own.size + 1)}`)));
  return slot;
}

// Optional, so that what is missing is reported by us, with everything else that is wrong.
function request(target: object, key: symbol, token: Parameters<typeof Inject>[0]): void {
  if (Object.hasOwn(target, key)) return;
  defineSlot(target, key);
  Inject(token)(target, key);
  Optional()(target, key);
}

function defineSlot(target: object, key: symbol): void {
  Object.defineProperty(target, key, {
    configurable: true,
    get(this: object) {
      return frozen.get(this)?.get(key);
    },
    set(this: object, value: unknown) {
      try {
        Object.defineProperty(this, key, { value, writable: true, configurable: true, enumerable: false });
      } catch {
        let kept = frozen.get(this);
        if (kept === undefined) frozen.set(this, (kept = new Map()));
        kept.set(key, value);
      }
    },
  });
}
