/** The four forms in which a degraded answer shows that it is one. */
import { envelope } from '../core/marks.js';
import { UNMARKABLE } from '../core/plan.js';
import type { Marker } from '../core/plan.js';
import type { DegradedOptions } from './degraded-options.js';

/** @internal */
export function markerOf({ mark, skip }: DegradedOptions): Marker {
  // What is skipped is `undefined`, which has no properties.
  const form = skip === true && (mark ?? 'property') === 'property' ? 'receipt' : (mark ?? 'property');
  if (typeof form === 'function') return { wrapsAll: false, mark: form };
  if (form === 'served') return { wrapsAll: true, mark: envelope };
  return { wrapsAll: false, mark: form === 'receipt' ? (value) => value : markProperty };
}

/** A shallow copy with `degraded: true`; UNMARKABLE for what is no object of named properties. @internal */
export function markProperty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNMARKABLE;
  // Only objects without internal slots survive a copy of their properties: no Date, Map, Buffer, Promise.
  if (Object.prototype.toString.call(value) !== '[object Object]') return UNMARKABLE;
  const properties: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(value);
  properties.degraded = { value: true, writable: true, enumerable: true, configurable: true };
  return Object.create(Object.getPrototypeOf(value) as object | null, properties);
}
