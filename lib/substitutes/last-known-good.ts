/**
 * The last full answer, kept to be served, marked, when nobody answers.
 *
 * Written only from an undegraded answer of a candidate, as a snapshot taken before the caller can change the value, at
 * most once per key and `refreshAfter`; never renewed by being served. Its age is checked against our own stamp on the
 * wall clock, whatever the store does. No key, no last known good: nobody gets what was somebody else's.
 */
import type { CallView, Collector, Offer, SubstituteSource, Wait } from '../core/plan.js';
import { ignore, isLate } from '../core/thenable.js';
import type { Places } from '../stores/places.js';
import { isReading } from '../stores/shelf.js';
import type { Kept, Label, Shelf } from '../stores/shelf.js';
import { Collected } from './collected.js';
import { canonicalArguments, canonicalKey } from './canonical-key.js';
import { KeyTexts } from './key-texts.js';
import { freshCopy, snapshot } from './snapshot.js';
import type { Refusal } from './snapshot.js';
import type { DegradedOptions } from './degraded-options.js';

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
  /** what another version of the application has stored is not served */
  readonly version: string;
  readonly places: Places;
}

/** A stamp further ahead than this was set by a clock that cannot be trusted. */
const CLOCK_SKEW = 5_000;

/** @internal */
export class LastKnownGood implements SubstituteSource {
  private readonly label: Label;
  private readonly texts = new KeyTexts();

  constructor(private readonly options: LastKnownGoodOptions) {
    const { chain, version, maxAge } = options;
    this.label = { chain, version, maxAge };
  }

  /** What the value of a call is kept under; undefined where it has no key of its own. */
  keyOf(call: CallView): string | undefined {
    const { key, marked, places } = this.options;
    const prefix = places.prefixOf(call.host as object);
    if (key !== undefined) return this.ask(call, key, prefix);
    const own = canonicalArguments(call.args, marked);
    if (own === undefined) this.notStored(call, 'arguments');
    return own === undefined ? undefined : prefix + own;
  }

  offer(call: CallView, wait: Wait): Offer | null | Promise<Offer | null> {
    const key = call.valueKey;
    if (key === undefined) return null;
    const found = this.shelfOf(call).read(key, this.label);
    if (!isReading(found)) return this.fresh(call, found);
    wait.teardown = () => found.giveUp(call.cancellation === null);
    return found.kept.then((kept) => this.fresh(call, kept));
  }

  /** @param now the time at which the value was there */
  remember(call: CallView, value: unknown, now: number): void {
    const key = call.valueKey;
    if (key === undefined || !this.isDue(key, call, now)) return;
    const { clock } = call.plan.engine;
    const taken = snapshot(value, this.options.maxBytes);
    if (typeof taken === 'string') return this.notStored(call, taken);
    const kept = { value: taken.copy, storedAt: clock.wall() };
    const refusal = this.shelfOf(call).write(key, kept, { now, bytes: taken.bytes }, this.label);
    if (refusal !== null) this.notStored(call, refusal);
  }

  /** Takes the elements of a stream, where they may be kept and a write is due. */
  collect(call: CallView): Collector | null {
    const { collect: most, maxBytes } = this.options;
    if (most === 0) return null;
    const key = call.valueKey;
    const { clock } = call.plan.engine;
    if (key === undefined || !this.isDue(key, call, clock.now())) return null;
    return new Collected(call, { most, maxBytes }, (of, elements) => this.remember(of, elements, clock.now()));
  }

  /** Deletes what is kept under a key, whichever of the classes that share the chain has answered, wherever it is. */
  forget(key: unknown): void | Promise<void> {
    const { key: isOwn, marked, places } = this.options;
    if (isOwn === undefined && !Array.isArray(key)) {
      throw new TypeError('Without lastKnownGood.key the key is the list of arguments; give an array');
    }
    const own = isOwn === undefined ? canonicalArguments(key as unknown[], marked) : keyText(key);
    if (own === undefined) return;
    const forgotten = places.all().map(async ({ prefix, shelf }) => shelf.forget(prefix + own, this.label));
    return Promise.all(forgotten).then(ignore);
  }

  private isDue(key: string, call: CallView, now: number): boolean {
    return this.shelfOf(call).isDue(key, this.options.refreshAfter, now);
  }

  /** What is young enough, as a copy of the caller's own. */
  private fresh(call: CallView, kept: Kept | undefined): Offer | null {
    if (kept === undefined) return null;
    const ahead = kept.storedAt - call.plan.engine.clock.wall();
    if (ahead > CLOCK_SKEW || -ahead > this.options.maxAge) return null;
    return { value: freshCopy(kept.value), source: 'last-known-good', age: Math.max(0, -ahead) };
  }

  private shelfOf({ host }: CallView): Shelf {
    return this.options.places.shelfOf(host as object);
  }

  private ask(call: CallView, key: NonNullable<LastKnownGoodOptions['key']>, prefix: string): string | undefined {
    try {
      const given: unknown = key.apply(call.host, call.args as unknown[]);
      if (typeof given === 'string') return given === '' ? undefined : this.texts.of(prefix, given);
      const own = isLate(given) ? undefined : keyText(given);
      return own === undefined ? undefined : prefix + own;
    } catch {
      call.plan.engine.report({ name: 'hook.failed', chain: this.options.chain, hook: 'key' });
      return undefined;
    }
  }

  private notStored(call: CallView, because: Refusal | 'arguments'): void {
    call.plan.engine.report({ name: 'value.not-stored', chain: this.options.chain, because });
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
