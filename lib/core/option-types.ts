/** What can be said of a chain and of its candidates, and chains of plain functions. */
import type {
  AttemptContext,
  AttemptRecord,
  CandidateHealth,
  Clock,
  Duration,
  FailureKind,
  OutcomeKind,
  Verdict,
} from './types.js';

/** When a candidate's circuit opens, and for how long. @publicApi */
export interface BreakerOptions {
  /** consecutive failures that open it, in either mode; default 3 */
  threshold?: number;
  /** the first opening; default 5 s; 0 never cools */
  cooldown?: Duration;
  /** each further opening is this many times longer; default 2 */
  factor?: number;
  /** the longest opening, also after a denial; default 5 min */
  maxCooldown?: Duration;
  /** `rate`: a large share of failures among many outcomes opens it too; default `consecutive` */
  mode?: 'consecutive' | 'rate';
  /** with `mode: 'rate'`: the time over which outcomes are counted; default 60 s */
  window?: Duration;
  /** with `mode: 'rate'`: outcomes below which their share says nothing; default 20 */
  volume?: number;
  /** with `mode: 'rate'`: the share of failures that opens it, above 0 and up to 1; default 0.3 */
  share?: number;
}

/** What can be said of one candidate. @publicApi */
export interface CandidateOptions<A extends unknown[] = any[], T = any> {
  /** unique in its chain; default: the method, or `Provider.method` */
  name?: string;
  /**
   * which failures this candidate answers: kinds, error classes, or a predicate over the last failure. Unmatched, it is
   * skipped (`gated`)
   */
  on?:
    | readonly (FailureKind | (abstract new (...args: any[]) => unknown))[]
    | ((failure: { kind: FailureKind; error: unknown }) => boolean);
  /** bounds one attempt, retries included, enforced even if the candidate ignores its signal; default none */
  timeout?: Duration | ((ctx: AttemptContext) => Duration | undefined);
  /** further tries of the same candidate, on `transient` unless `on` says more; default 0 */
  retries?: number | { times: number; on?: readonly FailureKind[] };
  /** price of one call: 0 is free, absent is untiered */
  cost?: number;
  /** every answer of this candidate is degraded */
  degraded?: boolean;
  /** false: the candidate is passed over for these arguments */
  supports?: (...args: A) => boolean | PromiseLike<boolean>;
  /** false: the answer is rejected and the next candidate tried */
  accept?: (value: T, ctx: AttemptContext) => boolean | PromiseLike<boolean>;
  /** whether an answer is empty; asked where `cost` or `onEmpty` is set; default: an array of length 0 */
  isEmpty?: (value: T) => boolean | PromiseLike<boolean>;
  /** what an empty answer means; default by price: free continues, paid stops, untiered accepts */
  onEmpty?: 'accept' | 'continue' | 'stop';
  /** reads an answer: a kind, a whole verdict, or nothing (it is good) */
  assess?: (
    value: T,
    ctx: AttemptContext,
  ) => OutcomeKind | Verdict | undefined | PromiseLike<OutcomeKind | Verdict | undefined>;
  /** reads an error: a kind, a whole verdict, or nothing (the default classifier decides) */
  classify?: (
    error: unknown,
    ctx: AttemptContext,
  ) => OutcomeKind | Verdict | undefined | PromiseLike<OutcomeKind | Verdict | undefined>;
  /** whose credentials the candidate uses: with the caller's own, a denial is the caller's error; default `own` */
  credentials?: 'own' | 'caller';
  breaker?: BreakerOptions;
  /** what an open circuit means: passed over but tried last (`defer`, default), never tried, or no circuit at all */
  whenOpen?: 'defer' | 'skip' | 'ignore';
  /** upper bound of an advised delay; default 1 h */
  maxRetryAfter?: Duration;
  /**
   * paces the candidate: its calls are at least so far apart. Who comes too early waits for a slot, outside `timeout` and
   * inside `deadline`, or passes over it (`pacing`) where that would be too late; default none
   */
  minInterval?: Duration;
  /** how many calls may be in flight at the candidate; with more it is passed over (`saturated`); default none */
  maxConcurrent?: number;
  /** shares a circuit, `minInterval` and `maxConcurrent` between chains; default `<chain>/<candidate>` */
  healthKey?: string;
}

/** Options of a chain: the defaults of all its candidates, and its own. @publicApi */
export interface ChainOptions<A extends unknown[] = any[], T = any> extends Omit<
  CandidateOptions<A, T>,
  'name' | 'on' | 'degraded' | 'healthKey'
> {
  /** unique in the application; default `Class.method` */
  name?: string;
  /** candidate 0's own options */
  primary?: CandidateOptions<A, T>;
  /** bounds the whole call: attempts, retries and substitutes; default none */
  deadline?: Duration;
  /** the part of the deadline that is kept for the substitute; default 0 */
  reserve?: Duration;
  /**
   * in which order candidates are tried: as declared (default), the cheapest first, or as a function of their names and
   * the arguments says; one that does not name each of them once, at once, is not followed
   */
  order?: 'declared' | 'cost' | ((candidates: readonly string[], args: A) => readonly string[]);
  /** our own ceiling on what the chain spends, `limit` in any time of length `per`; default none */
  budget?: { limit: number; per: Duration };
  /** when the budget is spent: only candidates of cost 0 go on (`free`, default), or nobody does (`stop`) */
  onBudget?: 'free' | 'stop';
  /**
   * the next candidate starts beside the running one when that has taken so long, or at once when it fails; 0 is a race
   * of all. Only where every candidate is free (`cost: 0`), and not for streams; default: one candidate at a time
   */
  hedge?: { after: Duration };
  /**
   * whether a write may be sent to several candidates: on POST, PUT, PATCH and DELETE routes start-up warns of further
   * candidates unless it is stated, and refuses them if it is `false`
   */
  idempotent?: boolean;
  /** asked at each call; `false` runs the bare method */
  enabled?: () => boolean;
  /** what is thrown when nobody answered: `FallbackExhaustedError` (default) or the last real error */
  rethrow?: 'aggregate' | 'last';
  /** the kind of an unrecognised error; default transient */
  unknown?: 'transient' | 'terminal';
  /** whether the exhausted error's message may quote the candidates' own messages; default kinds only */
  detail?: 'kinds' | 'messages';
  /** the chain's candidates give streams, and so does the method; default by the method's own kind */
  stream?: 'observable' | 'async-iterable';
  /** streams: whether an element carries something; those before are held back until one does. Default: every element */
  commitWhen?: (element: T) => boolean;
  /** streams: the error that an element tells of, if it does; read until the stream commits */
  errorIn?: (element: T) => unknown;
  /** streams: bounds the silence between elements; default none */
  idleTimeout?: Duration;
  /** streams: bounds the whole stream, from its first element asked for to its end; default none */
  streamDeadline?: Duration;
}

/** Any RxJS Observable; the engine's types name no package. @publicApi */
export interface ObservableLike<T> {
  subscribe(
    next?: ((value: T) => void) | null,
    error?: ((error: any) => void) | null,
    complete?: (() => void) | null,
  ): { unsubscribe(): void };
}

/** A candidate of a chain of plain functions: it gets the attempt's context first, then the call's `args`. @publicApi */
export type CoreCandidate<T, A extends unknown[] = any[]> =
  | ((ctx: AttemptContext, ...args: A) => T | PromiseLike<T> | ObservableLike<T>)
  | ({
      name?: string;
      run(ctx: AttemptContext, ...args: A): T | PromiseLike<T> | ObservableLike<T>;
    } & CandidateOptions<A, T>)
  | Chain<T>;

/** What gives the elements of a stream; a string is no iterable here. @publicApi */
export type StreamSource<T> = AsyncIterable<T> | AsyncIterator<T> | Iterable<T> | ObservableLike<T> | ReadableStream<T>;

/** A candidate of a stream of plain functions. @publicApi */
export type CoreStreamCandidate<T, A extends unknown[] = any[]> =
  | ((ctx: AttemptContext, ...args: A) => StreamSource<T> | PromiseLike<StreamSource<T>>)
  | ({
      name?: string;
      run(ctx: AttemptContext, ...args: A): StreamSource<T> | PromiseLike<StreamSource<T>>;
    } & CandidateOptions<A, T>);

/** Either, or one whose type does not say which it is, such as `() => Promise.reject(error)`. @internal */
export type AnyCandidate<T> =
  | CoreCandidate<T>
  | CoreStreamCandidate<T>
  | ((ctx: AttemptContext, ...args: any[]) => PromiseLike<T | StreamSource<T>>);

/** Options of a chain of plain functions, or of one run of it. @publicApi */
export interface CoreOptions<T> extends ChainOptions<any[], T> {
  /** the caller's: when it aborts, the call rejects with its reason */
  signal?: AbortSignal;
  /** handed to every candidate after ctx; default none */
  args?: readonly unknown[];
  /** default: the machine's */
  clock?: Clock;
  /** told once of every attempt, not of skips, with its raw value or error */
  onAttempt?: (record: AttemptRecord, raw: { value?: T; error?: unknown }) => void;
}

/** A chain of plain functions with a memory of its candidates' health. @publicApi */
export interface Chain<T> {
  readonly name: string;
  /** one call; options given here hold for this call only */
  run(overrides?: Partial<CoreOptions<T>>): Promise<T>;
  /** one call whose candidates give streams; begun by the first `next()`, ended by `return()` */
  stream(overrides?: Partial<CoreOptions<T>>): AsyncGenerator<T, void, undefined>;
  /** in declared order */
  health(): readonly CandidateHealth[];
  /** forgets failures, openings and counts */
  reset(): void;
}
