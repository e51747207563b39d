/** What a test or the chaos run says to a process of the fleet, and what it answers. All of it is plain JSON. */
import type { CircuitState, FallbackEvent } from 'nestjs-fallback';

/** How a process is started. */
export interface Settings {
  readonly redis: number;
  readonly client: 'ioredis' | 'node-redis';
  /** the provider that all call */
  readonly upstream: string;
  readonly cooldown: number;
  /** of one attempt, ms */
  readonly timeout: number;
  /** of a whole call, ms */
  readonly deadline?: number;
  /** calls that are made in the very turn in which the application has started */
  readonly callsAtStart?: number;
}

/** What the primary, the backup and the substitute answer with: whose answer it is, and from whom. */
export interface Answer {
  readonly key: string;
  readonly nonce: string;
  readonly from: 'primary' | 'backup' | 'substitute';
  readonly degraded?: boolean;
}

/** By what was tried, `primary:transient backup:ok`: how many calls. */
export type Tally = Record<string, number>;

export interface Seen {
  readonly circuits: readonly {
    readonly candidate: string;
    readonly state: CircuitState;
    readonly lastServedAt?: number;
  }[];
  /** those of circuits and stores, since the start */
  readonly events: readonly FallbackEvent[];
  /** rejections that nobody handled, and warnings of Node */
  readonly troubles: readonly string[];
}

/** A call that was answered wrongly. */
export interface Wrong {
  readonly asked: { readonly key: string; readonly nonce: string };
  readonly got: unknown;
}

/** One call that took longer than it might. */
export interface Late {
  /** over the deadline, ms */
  readonly raw: number;
  /** the largest delay of the event loop while it ran, ms */
  readonly loop: number;
}

export interface LoadSeen {
  readonly calls: number;
  readonly pending: number;
  /** by source: primary, backup, last-known-good, static; alone or exhausted where nobody stands in */
  readonly answers: Tally;
  readonly wrong: readonly Wrong[];
  /** the worst as measured, and the worst after subtraction */
  readonly latest: Late;
  readonly latestOwn: Late;
}

export interface Orders {
  /** so many calls at once, or one after another */
  calls: { give: { count: number; inTurn?: boolean }; take: Tally };
  see: { give: object; take: Seen };
  /** live bytes after full collections, which take their time */
  heap: { give: object; take: number };
  /** starts calling, so many times a second, until it is told to stop */
  load: { give: { perSecond: number; seed: number }; take: null };
  loadSeen: { give: object; take: LoadSeen };
  stopLoad: { give: object; take: LoadSeen };
  /** closes the application and its client, and listens to nobody any more: the process ends by itself */
  close: { give: object; take: null };
}
