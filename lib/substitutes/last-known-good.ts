/**
 * The last full answer, kept to be served, marked, when nobody answers.
 *
 * Written only from an undegraded answer of a candidate, as a snapshot taken before the caller can change the value, at
 * most once per key and `refreshAfter`; never renewed by being served. Its age is checked against our own stamp on the
 * wall clock, whatever the store does. No key, no last known good: nobody gets what was somebody else's.
 */
import type { CallView, Collector, Offer, SubstituteSource } from '../core/plan.js';
import { isLate } from '../core/thenable.js';
import { Collected } from './collected.js';
import { canonicalArguments, canonicalKey } from './canonical-key.js';
import { freshCopy, snapshot } from './snapshot.js';
import type { Refusal } from './snapshot.js';
import type { DegradedOptions } from './degraded-options.js';

/** Where values are kept. @internal */
export interface Values {
  get(key: string): unknown;
  set(key: string, value: object): void;
  delete(key: string): void;
}

/** @internal */
export interface LastKnownGoodOptions {
  readonly chain: string;
  readonly maxAge: number;
  readonly refreshAfter: number;
  readonly maxBytes: number;
  /** the most elements of a stream that are kept; 0 keeps none */
  readonly collect: number;
  readonly key: NonNullable<DegradedOptions['lastKnownGood']>['key'] | undefined;
  /** places of arguments that are no part of the default key */
  readonly marked: readonly number[];
  readonly values: Values;
}

interface Entry {
  readonly value: unknown;
  /** wall clock */
  readonly storedAt: number;
  /** monotonic */
  readonly writtenAt: number;
}

/** A stamp further ahead than this was set by a clock that cannot be trusted. */
const CLOCK_SKEW = 5_000;

/** @internal */
export class LastKnownGood implements SubstituteSource {
  private readonly classes: ClassPrefixes;

  constructor(private readonly options: LastKnownGoodOptions) {
    this.classes = new ClassPrefixes(options.chain);
  }

  offer(call: CallView): Offer | null {
    const key = this.keyOf(call);
    const entry = key === undefined ? undefined : this.read(key);
    if (entry === undefined) return null;
    const ahead = entry.storedAt - call.plan.engine.clock.wall();
    if (ahead > CLOCK_SKEW || -ahead > this.options.maxAge) return null;
    return { value: freshCopy(entry.value), source: 'last-known-good', age: Math.max(0, -ahead) };
  }

  remember(call: CallView, value: unknown): void {
    const { clock } = call.plan.engine;
    const key = this.keyOf(call);
    if (key === undefined) return;
    if (!this.isDue(key, call)) return;
    const writtenAt = clock.now();
    const taken = snapshot(value, this.options.maxBytes);
    if (typeof taken === 'string') this.notStored(call, taken);
    else this.options.values.set(key, { value: taken.copy, storedAt: clock.wall(), writtenAt } satisfies Entry);
  }

  /** Takes the elements of a stream, where they may be kept and a write is due. */
  collect(call: CallView): Collector | null {
    const { collect: most, maxBytes } = this.options;
    if (most === 0 || !this.isDue(this.keyOf(call), call)) return null;
    return new Collected(call, { most, maxBytes }, (of, elements) => this.remember(of, elements));
  }

  /** Deletes what is kept under a key, whichever of the classes that share the chain has answered. */
  forget(key: unknown): void {
    const { key: isOwn, marked, values } = this.options;
    if (isOwn === undefined && !Array.isArray(key)) {
      throw new TypeError('Without lastKnownGood.key the key is the list of arguments; give an array');
    }
    const own = isOwn === undefined ? canonicalArguments(key as unknown[], marked) : keyText(key);
    if (own !== undefined) for (const prefix of this.classes.all()) values.delete(prefix + own);
  }

  private isDue(key: string | undefined, call: CallView): key is string {
    const last = key === undefined ? undefined : this.read(key);
    const { clock } = call.plan.engine;
    return key !== undefined && (last === undefined || clock.now() - last.writtenAt >= this.options.refreshAfter);
  }

  private read(key: string): Entry | undefined {
    return this.options.values.get(key) as Entry | undefined;
  }

  private keyOf(call: CallView): string | undefined {
    const { key, marked } = this.options;
    const own = key === undefined ? canonicalArguments(call.args, marked) : this.ask(call, key);
    if (own === undefined && key === undefined) this.notStored(call, 'arguments');
    return own === undefined ? undefined : this.classes.prefixOf(call.host) + own;
  }

  private ask(call: CallView, key: NonNullable<LastKnownGoodOptions['key']>): string | undefined {
    try {
      const given: unknown = key.apply(call.host, call.args as unknown[]);
      return isLate(given) ? undefined : keyText(given);
    } catch {
      call.plan.engine.report({ name: 'hook.failed', chain: this.options.chain, hook: 'key' });
      return undefined;
    }
  }

  private notStored(call: CallView, because: Refusal | 'arguments'): void {
    call.plan.engine.report({ name: 'value.not-stored', chain: this.options.chain, because });
  }
}

/** What keys begin with: the chain, and which of the classes that inherit it. What one answered is no answer of another. */
class ClassPrefixes {
  private readonly prefixes = new WeakMap<object, string>();
  private readonly taken = new Map<string, number>();

  constructor(private readonly chain: string) {}

  prefixOf(host: unknown): string {
    const { constructor } = host as object;
    let prefix = this.prefixes.get(constructor);
    if (prefix === undefined) {
      const count = this.taken.get(constructor.name) ?? 0;
      this.taken.set(constructor.name, count + 1);
      prefix = this.write(constructor.name, count);
      this.prefixes.set(constructor, prefix);
    }
    return prefix;
  }

  all(): string[] {
    return [...this.taken].flatMap(([name, count]) => Array.from({ length: count }, (_, n) => this.write(name, n)));
  }

  private write(className: string, count: number): string {
    return JSON.stringify([this.chain, className, count]);
  }
}

/** What a key function gave, as text; undefined for what is no key. */
function keyText(given: unknown): string | undefined {
  return isKey(given) ? canonicalKey(given) : undefined;
}

/** A scalar that names somebody, or a list of them. One empty part would make strangers share a value. */
function isKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isScalarKey);
  return isScalarKey(value);
}

function isScalarKey(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value !== '';
    case 'number':
      return !Number.isNaN(value);
    default:
      return typeof value === 'bigint' || typeof value === 'boolean';
  }
}
