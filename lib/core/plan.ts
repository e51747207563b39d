/**
 * The compiled form of a chain: everything that can be decided before the first call has been. Immutable but for the
 * memory it points to (circuits and tallies), and shared by all instances of a class in one application.
 */
import type { Budget } from './budget.js';
import type { CancelGroup } from './cancellation.js';
import type { ChainWatch } from './chain-watch.js';
import type { Breaker, Circuit } from './circuit.js';
import type { LastText } from './classify/index.js';
import type { SubstitutesDescription } from './description.js';
import type { Engine } from './engine.js';
import type { Lane } from './permits.js';
import type { Mirror } from './shared-health/mirror.js';
import type { Tally } from './tally.js';
import type { TimerList } from './timer-list.js';
import type { CandidateOptions, ChainOptions } from './option-types.js';
import type { AttemptContext, Duration, FailureKind, Receipt, Source } from './types.js';

/** A call as its candidates, hooks and substitutes may see it. @internal */
export interface CallView {
  readonly plan: ChainPlan;
  /** what `this` is in every candidate, hook and substitute */
  readonly host: unknown;
  readonly args: readonly unknown[];
  readonly scope: CallScope | undefined;
  /** anything can end it before its candidates do: a signal, a scope, a deadline, the end of its application */
  readonly isCuttable: boolean;
  readonly cancellation: { readonly reason: unknown } | null;
  readonly failures: readonly { candidate: string; error: unknown }[];
  /** what its last known good is kept under; undefined for none */
  readonly valueKey: string | undefined;
  /** the call's whole time, ms */
  readonly total: number;
  readonly deadline: { remaining(): number };
  readonly idempotencyKey: string;
}

/** An attempt as its candidate may see it; what it does not read is not made. @internal */
export interface AttemptView {
  readonly call: CallView;
  readonly context: AttemptContext;
  readonly signal: AbortSignal;
}

/** What surrounds a call: an HTTP request, a `withReceipt`. It collects receipts and may end all its calls. @internal */
export interface CallScope {
  readonly group: CancelGroup | null;
  /** why the scope has ended, if it has */
  readonly ended: { readonly reason: unknown } | null;
  /** runs a part of a call, so that calls made inside are known to be inner ones */
  within<T>(part: () => T): T;
  /** takes the receipt of a call that has ended */
  collect(receipt: Receipt): void;
}

/** Calls a candidate with what the call was given. @internal */
export type Invoke = (attempt: AttemptView) => unknown;

/** A hook that reads answers, reduced to what all of them say: a kind, a verdict, or nothing. @internal */
export interface Judge {
  readonly hook: 'isEmpty' | 'accept' | 'assess';
  ask(host: unknown, value: unknown, ctx: AttemptContext): unknown;
}

/** Further tries of one candidate inside one attempt. @internal */
export interface Retries {
  readonly times: number;
  readonly on: readonly FailureKind[];
}

/** How often a candidate may be called, and how often at once. @internal */
export interface Traffic extends Lane {
  /** ms between two calls; 0 without one */
  readonly interval: number;
  /** calls in flight; Infinity without a limit */
  readonly limit: number;
}

/** @internal */
export interface CandidatePlan {
  readonly name: string;
  readonly index: number;
  readonly invoke: Invoke;
  /** the same without a stream's opening */
  readonly bare: Invoke;
  readonly on: NonNullable<CandidateOptions['on']> | null;
  /** ms; Infinity without one, or where it is computed for each attempt */
  readonly timeout: number;
  readonly timeoutOf: ((ctx: AttemptContext) => Duration | undefined) | null;
  /** where attempts wait for a timeout that is known beforehand; null without one */
  readonly timers: TimerList | null;
  readonly retries: Retries | null;
  /** undefined is untiered */
  readonly cost: number | undefined;
  readonly onEmpty: 'accept' | 'continue' | 'stop';
  /** a denial is the caller's own error */
  readonly isCallers: boolean;
  readonly degraded: boolean;
  readonly supports: NonNullable<CandidateOptions['supports']> | null;
  readonly judges: readonly Judge[];
  readonly classify: NonNullable<CandidateOptions['classify']> | null;
  readonly lastText: LastText;
  readonly circuit: Circuit;
  /** null when `whenOpen` is `ignore`: of its circuit only isolation by hand counts */
  readonly breaker: Breaker | null;
  /** null where the circuit is this process's alone, or ignored */
  readonly mirror: Mirror | null;
  /** tried as the last resort while its circuit is open */
  readonly deferred: boolean;
  readonly maxRetryAfter: number;
  /** null: as often as anybody likes */
  readonly traffic: Traffic | null;
  readonly tally: Tally;
}

/** Something that can be served when nobody answered. @internal */
export interface Offer {
  readonly value: unknown;
  readonly source: Source;
  readonly age?: number;
}

/** How a call waits for a substitute. @internal */
export interface Wait {
  /** called if the wait is cut: the source lets go, and says itself what had better be known of it */
  teardown: (() => void) | null;
}

/** One kind of substitute: last known good, or the static or computed one. @internal */
export interface SubstituteSource {
  /** what it has for this call; null for nothing */
  offer(call: CallView, wait: Wait): Offer | null | Promise<Offer | null>;
}

/** Takes the elements of one stream, each before the consumer has it. @internal */
export interface Collector {
  add(element: unknown): void;
  /** The stream has ended well. */
  keep(): void;
}

/** What a chain serves when nobody answered. @internal */
export interface Substitutes {
  /** in the order in which they are asked */
  readonly sources: readonly SubstituteSource[];
  /** one of them answers whatever happens */
  readonly isSure: boolean;
  /** whether anything may be served after a last failure of this kind */
  allows(call: CallView, last: FailureKind | undefined): boolean;
  /** what they are made of, for those who ask */
  describe(): SubstitutesDescription;
  /** Asked once, when a call begins: whoever changes its arguments later does not change whose value it is. */
  keyOf(call: CallView): string | undefined;
  /** told of every full answer of a candidate, before the caller has it; `now` is when it came, monotonic */
  remember(call: CallView, value: unknown, now: number): void;
  /** for the elements of a full stream; null where they are not kept */
  collect(call: CallView): Collector | null;
  /** deletes what is remembered under a key; throws what is wrong with the key, rejects if it could not be deleted */
  forget(key: unknown): void | Promise<void>;
}

/** A degraded value cannot carry its mark. @internal */
export const UNMARKABLE: unique symbol = Symbol('unmarkable');

/** How the answers of a chain carry their mark. @internal */
export interface Marker {
  /** every answer is an envelope */
  readonly wrapsAll: boolean;
  /** the value with its mark, or UNMARKABLE; may throw what a user's function throws */
  mark(value: unknown, receipt: Receipt): unknown;
}

/** How long a call may take. @internal */
export interface Deadline {
  /** the whole call, ms */
  readonly total: number;
  /** where calls wait for the end of their candidates' time */
  readonly timers: TimerList;
}

/** When a chain's next candidate starts beside the running one. @internal */
export interface Hedge {
  /** ms that the running one may take */
  readonly after: number;
  /** where calls wait for it; null where all candidates start at once */
  readonly timers: TimerList | null;
}

/** What is particular about a chain whose candidates give streams. @internal */
export interface StreamPlan {
  /** what its users declared: a plain value is an element of an Observable, and of nothing else */
  readonly kind: 'observable' | 'async-iterable';
  /** null: every element carries something */
  readonly commitWhen: ((element: never) => boolean) | null;
  readonly errorIn: ((element: never) => unknown) | null;
  /** where streams wait that may be silent for so long; null for ever */
  readonly idle: TimerList | null;
  /** the whole stream, ms */
  readonly total: number;
}

/** @internal */
export interface ChainPlan {
  readonly name: string;
  readonly engine: Engine;
  /** as declared */
  readonly candidates: readonly CandidatePlan[];
  /** in the order in which they are tried, where that is the same for all calls */
  readonly ladder: readonly CandidatePlan[];
  /** says the order for each call */
  readonly orderOf: Extract<ChainOptions['order'], (...given: never[]) => unknown> | null;
  /** our own ceiling on what it spends */
  readonly budget: Budget | null;
  /** a call that is given nothing but arguments needs no gate for its first candidate */
  readonly isPlain: boolean;
  readonly substitutes: Substitutes | null;
  readonly marker: Marker | null;
  readonly deadline: Deadline | null;
  /** null: one candidate at a time */
  readonly hedge: Hedge | null;
  /** when a call must have answered at the latest, ms: its deadline, or that of its whole stream */
  readonly limit: number;
  /** null where candidates give values */
  readonly stream: StreamPlan | null;
  /** the part of any deadline, also an outer one, that candidates leave to the substitute, ms */
  readonly reserve: number;
  readonly enabled: (() => boolean) | null;
  readonly rethrow: 'aggregate' | 'last';
  readonly unknown: 'transient' | 'terminal';
  readonly detail: 'kinds' | 'messages';
  /** what is seen of the chain as a whole; null where nobody looks */
  readonly watch: ChainWatch | null;
}
