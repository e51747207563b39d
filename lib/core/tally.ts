import type { AttemptRecord, OutcomeKind, SkipReason } from './types.js';

type Counted = OutcomeKind | SkipReason | 'late' | 'paid-late';

/** What is counted of one candidate. `ok` has a field of its own: it is all that a healthy candidate needs. @internal */
export class Tally {
  lastKind: OutcomeKind | undefined = undefined;
  /** monotonic; NaN before the first answer */
  lastServedAt = NaN;
  private skips: Partial<Record<SkipReason, AttemptRecord>> | null = null;
  private ok = 0;
  private others: Partial<Record<Counted, number>> | null = null;

  constructor(
    private readonly candidate: string,
    private readonly index: number,
  ) {}

  /** The record of having been passed over: always the same, so it is made once. */
  skipped(reason: SkipReason): AttemptRecord {
    const { candidate, index } = this;
    this.skips ??= {};
    return (this.skips[reason] ??= Object.freeze({ candidate, index, kind: 'skipped', reason }));
  }

  count(what: Counted): void {
    if (what === 'ok') this.ok++;
    else {
      this.others ??= {};
      this.others[what] = (this.others[what] ?? 0) + 1;
    }
  }

  counts(): Partial<Record<Counted, number>> {
    return this.ok === 0 ? { ...this.others } : { ok: this.ok, ...this.others };
  }

  clear(): void {
    this.lastKind = undefined;
    this.lastServedAt = NaN;
    this.ok = 0;
    this.others = null;
  }
}
