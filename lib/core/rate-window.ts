/**
 * The outcomes of a candidate over a sliding window, in fixed memory: a ring of buckets, made in rate mode only. What is
 * older than the window never counts; what has just become so leaves by the bucket, a twentieth of the window at a time.
 *
 * A window belongs to one period of its circuit. Whatever ends the period (it opens, closes, is reset, is isolated) ends
 * the window too, without being told: the first outcome of another period finds it empty.
 */

const BUCKETS = 20;

/** What makes a share of failures too large. @internal */
export interface RateRule {
  /** ms */
  readonly window: number;
  /** outcomes below which a share says nothing */
  readonly volume: number;
  /** of failures, from which on the circuit opens */
  readonly share: number;
}

/** @internal */
export interface RateWindow {
  /** ms */
  readonly length: number;
  /** of each bucket its outcomes, then those of them that are failures */
  readonly buckets: Uint32Array;
  /** the circuit's period that it belongs to */
  epoch: number;
  /** start of bucket 0, monotonic: the first outcome, so that a burst is forgotten exactly when it is too old */
  origin: number;
  /** the bucket of the latest outcome, counted from the origin */
  latest: number;
  outcomes: number;
  failures: number;
}

/** A rule, and what it is applied to. @internal */
export interface Rate extends RateRule {
  readonly outcomes: RateWindow;
}

/** @internal */
export function newRateWindow(length: number): RateWindow {
  const buckets = new Uint32Array(2 * BUCKETS);
  return { length, buckets, epoch: 0, origin: 0, latest: 0, outcomes: 0, failures: 0 };
}

/** Takes note of an outcome of the circuit's current period. @internal */
export function note(window: RateWindow, epoch: number, isFailure: boolean, now: number): void {
  if (epoch !== window.epoch) {
    dropBuckets(window, BUCKETS);
    window.epoch = epoch;
  }
  slide(window, now);
  const place = 2 * (window.latest % BUCKETS);
  window.buckets[place]!++;
  window.outcomes++;
  if (!isFailure) return;
  window.buckets[place + 1]!++;
  window.failures++;
}

/** @internal */
export function failsTooOften({ outcomes, failures }: RateWindow, { volume, share }: RateRule): boolean {
  return outcomes >= volume && failures / outcomes >= share;
}

function slide(window: RateWindow, now: number): void {
  // Multiplied first: n buckets after the origin must be bucket n, whatever the length.
  const bucket = Math.floor(((now - window.origin) * BUCKETS) / window.length);
  if (bucket > window.latest) {
    dropBuckets(window, bucket - window.latest);
    window.latest = bucket;
  }
  if (window.outcomes > 0) return;
  window.origin = now;
  window.latest = 0;
}

/** Empties the next buckets of the ring: the oldest. */
function dropBuckets(window: RateWindow, count: number): void {
  const { buckets, latest } = window;
  for (let next = 1; next <= Math.min(count, BUCKETS); next++) {
    const place = 2 * ((latest + next) % BUCKETS);
    window.outcomes -= buckets[place]!;
    window.failures -= buckets[place + 1]!;
    buckets[place] = buckets[place + 1] = 0;
  }
}
