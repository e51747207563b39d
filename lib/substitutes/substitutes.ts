/** What `@Degraded` serves: its options as the sources that the engine asks, in order. */
import { parseDuration } from '../core/duration.js';
import type { Setting, SubstitutesDescription } from '../core/description.js';
import type { Offer, SubstituteSource, Substitutes } from '../core/plan.js';
import { isEnabled } from '../core/enabled.js';
import { isThenable } from '../core/thenable.js';
import type { FailureKind } from '../core/types.js';
import type { Places } from '../stores/places.js';
import { readDeferred } from './deferred.js';
import type { DegradedOptions } from './degraded-options.js';
import { LastKnownGood } from './last-known-good.js';
import { freshCopy } from './snapshot.js';

const REFRESH_AFTER = 1_000;
const MAX_BYTES = 256 * 1_024;

/** @internal */
export interface SubstitutesContext {
  readonly chain: string;
  /** places of `@Attempt()` and `@AttemptSignal()` parameters */
  readonly marked: readonly number[];
  readonly places: Places;
}

/** @internal */
export function substitutesOf(options: DegradedOptions, context: SubstitutesContext): Substitutes {
  const lastKnownGood = lastKnownGoodOf(options, context);
  const last = lastOf(options);
  const { on, enabled } = options;
  return {
    sources: [lastKnownGood, last].filter((source) => source !== null),
    isSure: last !== null && typeof options.substitute !== 'function' && on === undefined && enabled === undefined,
    allows: (call, kind) => isAmong(on, kind) && isEnabled(call.plan, call.host, enabled),
    describe: () => ({
      lastKnownGood: lastKnownGood === null ? null : describe(options.lastKnownGood!),
      substitute: last === null ? null : last.kind,
    }),
    keyOf: (call) => lastKnownGood?.keyOf(call),
    remember: (call, value, now) => lastKnownGood?.remember(call, value, now),
    collect: (call) => lastKnownGood?.collect(call) ?? null,
    forget: (key) => lastKnownGood?.forget(key),
  };
}

type LastKnownGoodOptions = NonNullable<DegradedOptions['lastKnownGood']>;

function numbersOf(options: LastKnownGoodOptions) {
  const { maxBytes = MAX_BYTES, collect = 0 } = options;
  const maxAge = parseDuration(options.maxAge) ?? 0;
  return { maxAge, refreshAfter: parseDuration(options.refreshAfter) ?? REFRESH_AFTER, maxBytes, collect };
}

function lastKnownGoodOf({ lastKnownGood }: DegradedOptions, context: SubstitutesContext): LastKnownGood | null {
  if (lastKnownGood === undefined) return null;
  const numbers = numbersOf(lastKnownGood);
  const { key, version = '' } = lastKnownGood;
  return numbers.maxAge === 0 ? null : new LastKnownGood({ ...context, ...numbers, key, version });
}

/** What is served when there is no last known good. */
type Last = SubstituteSource & { readonly kind: 'static' | 'computed' | 'skipped' };

function lastOf(options: DegradedOptions): Last | null {
  if (Object.hasOwn(options, 'substitute')) {
    const { substitute } = options;
    return typeof substitute === 'function'
      ? computed(substitute)
      : { kind: 'static', offer: () => standing(substitute) };
  }
  return options.skip === true ? { kind: 'skipped', offer: () => ({ value: undefined, source: 'skipped' }) } : null;
}

function computed(make: (...args: unknown[]) => unknown): Last {
  return {
    kind: 'computed',
    offer(call) {
      const made: unknown = make.apply(call.host, call.args as unknown[]);
      return isThenable(made) ? Promise.resolve(made).then(standing) : standing(made);
    },
  };
}

/** Handed out as a copy, so that what one caller changes is not served to the next. */
function standing(value: unknown): Offer {
  const queued = readDeferred(value);
  if (queued !== undefined) return { value: freshCopy(queued.value), source: 'deferred' };
  return { value: freshCopy(value), source: 'static' };
}

function describe(options: LastKnownGoodOptions): SubstitutesDescription['lastKnownGood'] {
  const { maxAge, refreshAfter, maxBytes } = numbersOf(options);
  const by = (option: 'maxAge' | 'refreshAfter' | 'maxBytes', value: number): Setting => ({
    value: value === Infinity ? null : value,
    origin: options[option] === undefined ? 'built-in default' : '@Degraded',
  });
  return {
    maxAge: by('maxAge', maxAge),
    refreshAfter: by('refreshAfter', refreshAfter),
    maxBytes: by('maxBytes', maxBytes),
  };
}

function isAmong(on: readonly FailureKind[] | undefined, kind: FailureKind | undefined): boolean {
  return on === undefined || (kind !== undefined && on.includes(kind));
}
