import type { AttemptRecord, OutcomeKind, SkipReason } from './types.js';

type Counted = OutcomeKind | 'late' | 'paid-late';

/** How often a candidate was passed over for one reason, and the record of it: always the same, so it is made once. */
interface Skip {
  readonly record: AttemptRecord;
  times: number;
}

/** What is counted of one candidate. `ok` has a field of its own: it is all that a healthy candidate needs. @internal */
export class Tally {
  lastKind: OutcomeKind | undefined = undefined;
  /** monotonic; NaN before the first answer */
  lastServedAt = NaN;
  private skips: Partial<Record<SkipReason, Skip>> | null = null;
  private ok = 0;
  private others: Partial<Record<Counted, number>> | null = null;

  constructor(
    private readonly candidate: string,
    private readonly index: number,
  ) {}

  count(what: Counted): void {
    if (what === 'ok') this.ok++;
    else {
      this.others ??= {};
      this.others[what] = (this.others[what] ?? 0) + 1;
    }
  }

  /** Counts that the candidate was passed over, and gives the record of it. */
  skip(reason: SkipReason): AttemptRecord {
    this.skips ??= {};
    const skip = (this.skips[reason] ??= { record: this.skipped(reason), times: 0 });
    skip.times++;
    return skip.record;
  }

  /** By kind and reason; `unsupported` is both. */
  counts(): Partial<Record<Counted | SkipReason, number>> {
    const counts: Partial<Record<Counted | SkipReason, number>> = {
      ...(this.ok > 0 && { ok: this.ok }),
      ...this.others,
    };
    for (const [reason, { times }] of Object.entries(this.skips ?? {}) as [SkipReason, Skip][]) {
      counts[reason] = (counts[reason] ?? 0) + times;
    }
    return counts;
  }

  clear(): void {
    this.lastKind = undefined;
    this.lastServedAt = NaN;
    this.ok = 0;
    this.others = this.skips = null;
  }

  private skipped(reason: SkipReason): AttemptRecord {
    const { candidate, index } = this;
    return Object.freeze({ candidate, index, kind: 'skipped', reason });
  }
}
