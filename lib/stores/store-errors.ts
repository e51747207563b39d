/**
 * A store that is an emitter ends the process with an `error` event that nobody listens to. So somebody always listens:
 * one listener per store for all applications of the process, for good, since a store may outlive any of them.
 */
import { shared } from '../core/shared.js';

/** @internal */
export interface ErrorHearer {
  onError(): void;
}

type Hearers = Set<WeakRef<ErrorHearer>>;

/** Tells of every `error` event of a store, or of the stores inside it, for as long as the hearer is there. @internal */
export function hearErrors(store: object, hearer: ErrorHearer): void {
  const inner: unknown = (store as { stores?: unknown }).stores;
  for (const each of [store, ...(Array.isArray(inner) ? (inner as unknown[]) : [])]) {
    const { on } = (each ?? {}) as { on?: unknown };
    if (typeof on === 'function') add(each as Emitter, hearer);
  }
}

interface Emitter {
  on(event: 'error', listener: () => void): unknown;
}

function add(emitter: Emitter, hearer: ErrorHearer): void {
  const heard = shared('store-errors', () => new WeakMap<object, Hearers>());
  let hearers = heard.get(emitter);
  if (hearers === undefined) heard.set(emitter, (hearers = listen(emitter)));
  for (const ref of hearers) if (ref.deref() === undefined) hearers.delete(ref);
  hearers.add(new WeakRef(hearer));
}

function listen(emitter: Emitter): Hearers {
  const hearers: Hearers = new Set();
  emitter.on('error', () => {
    for (const ref of hearers) ref.deref()?.onError();
  });
  return hearers;
}
