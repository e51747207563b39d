/** A chain's plan in words and numbers, as plain JSON. In all of it `null` is "none": no limit, no price, no substitute. */

/** Who gave an option. @publicApi */
export type Origin =
  | 'built-in default'
  | 'forRoot defaults'
  | 'chain options'
  | 'overrides'
  | 'candidate options'
  | 'candidate overrides'
  | '@Degraded';

/** What an option is, and who said so. @publicApi */
export interface Setting<T = number | null> {
  value: T;
  origin: Origin;
}

/** When a candidate's circuit opens, and for how long. @publicApi */
export interface BreakerDescription {
  mode: Setting<'consecutive' | 'rate'>;
  threshold: Setting;
  cooldown: Setting;
  factor: Setting;
  maxCooldown: Setting;
  /** in rate mode only, like the two below */
  window?: Setting;
  volume?: Setting;
  share?: Setting;
}

/** One candidate of a chain. Times are ms. @publicApi */
export interface CandidateDescription {
  candidate: string;
  index: number;
  /** `computed` where a function gives it for each attempt */
  timeout: Setting<number | 'computed' | null>;
  retries: Setting<number>;
  cost: Setting;
  onEmpty: Setting<'accept' | 'continue' | 'stop'>;
  whenOpen: Setting<'defer' | 'skip' | 'ignore'>;
  maxRetryAfter: Setting;
  minInterval: Setting;
  maxConcurrent: Setting;
  /** null where the circuit is ignored */
  breaker: BreakerDescription | null;
  credentials: Setting<'own' | 'caller'>;
  /** every answer of it is degraded */
  degraded: boolean;
  /** it answers some failures only */
  isGated: boolean;
}

/** What a chain serves when nobody answered. @publicApi */
export interface SubstitutesDescription {
  /** times are ms */
  lastKnownGood: { maxAge: Setting; refreshAfter: Setting; maxBytes: Setting } | null;
  /** what is served when there is no last known good */
  substitute: 'static' | 'computed' | 'skipped' | null;
}

/** What a chain may spend. @publicApi */
export interface BudgetDescription {
  limit: Setting;
  /** ms */
  per: Setting<number>;
  onBudget: Setting<'free' | 'stop'>;
}

/** What `ChainHealthService.describe` gives. Times are ms. @publicApi */
export interface ChainDescription {
  chain: string;
  deadline: Setting;
  reserve: Setting<number>;
  /** in chains with `hedge` only: when the next candidate starts beside the running one */
  hedge?: Setting<number>;
  rethrow: Setting<'aggregate' | 'last'>;
  unknown: Setting<'transient' | 'terminal'>;
  detail: Setting<'kinds' | 'messages'>;
  /** `computed` where a function says it for each call */
  order: Setting<'declared' | 'cost' | 'computed'>;
  budget: BudgetDescription | null;
  /** as declared */
  candidates: CandidateDescription[];
  substitutes: SubstitutesDescription | null;
  worstCase: {
    /** what a caller waits at most for candidates and, where there is a deadline, substitutes */
    latency: number | null;
    /** how it comes about */
    arithmetic: string;
    /** every candidate paid for, further tries included */
    price: number;
  };
}
