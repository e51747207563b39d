import type { Attempt } from '../attempt.js';
import { judgeValue, unjudged } from '../judge.js';
import { UNMARKABLE } from '../plan.js';
import type { AttemptView, Invoke } from '../plan.js';
import { isLate, isThenable, quietly } from '../thenable.js';
import { unwrap } from '../unwrap.js';
import { EMPTY_RULINGS, RULINGS, isFailure } from '../verdict.js';
import type { Ruling } from '../verdict.js';
import { commit } from './commit.js';
import { silenceOf } from './silence.js';
import type { Silence } from './silence.js';
import type { Opened } from './serving.js';
import type { Sink, Source } from './sink.js';
import { noStream, sourceOf, sourceOfValue } from './source.js';
import type { StreamCall } from './stream-call.js';

/** The stream of an attempt has committed: from now on it belongs to its consumer, and the walk is over. @internal */
export const COMMITTED: unique symbol = Symbol('committed');

/** A candidate of a stream chain: what it gives is opened, and the attempt settles when that commits or fails. @internal */
export function opening(invoke: Invoke): Invoke {
  return (view: AttemptView) => {
    const attempt = view as Attempt;
    attempt.ruled = null;
    attempt.renew();
    return new Opening(attempt, attempt.call as StreamCall).receive(invoke(attempt));
  };
}

/**
 * A stream before its commit. Its elements are held back until one of them carries something and is judged good; then it
 * commits, within that very emission. What fails before is seen by nobody.
 * @internal
 */
export class Opening implements Sink, Opened {
  /** what has come and has not been given on */
  readonly elements: unknown[] = [];
  end: Opened['end'] = null;
  read = 0;
  /** what the candidate gave */
  given: unknown = undefined;
  source: Source | null = null;
  /** its first elements cannot carry the mark that they need */
  isUnmarkable = false;
  /** it has ended without an element that carries something */
  isBarren = false;
  private state: 'waiting' | 'judging' | 'judged' | 'closed' = 'waiting';
  private readonly silence: Silence | null;
  private readonly settled: Promise<unknown>;
  private resolve!: (settled: unknown) => void;
  private reject!: (error: unknown) => void;

  constructor(
    private readonly attempt: Attempt,
    private readonly call: StreamCall,
  ) {
    this.silence = silenceOf(call, (error) => this.fail(error));
    this.settled = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** What settles when the stream has committed, was judged unfit, or has ended before. */
  receive(given: unknown): Promise<unknown> {
    this.attempt.teardown = () => this.close();
    if (isThenable(given)) {
      Promise.resolve(given).then(
        (source) => this.open(source, true),
        (error: unknown) => this.fail(error),
      );
    } else this.open(given, false);
    return this.settled;
  }

  next(element: unknown): void {
    if (this.state === 'closed') return;
    this.elements.push(element);
    if (this.state !== 'waiting') return;
    this.read++;
    this.silence?.stopTimer();
    const { errorIn, commitWhen } = this.call.plan.stream!;
    const error = errorIn === null ? undefined : this.ask('errorIn', errorIn, element);
    if (error === UNASKED) return;
    if (error !== undefined && error !== null) {
      this.fail(error);
      return;
    }
    const carries = commitWhen === null || this.ask('commitWhen', commitWhen, element);
    if (carries === UNASKED) return;
    if (carries) this.judge(element);
    else this.askForMore();
  }

  error(error: unknown): void {
    if (this.state === 'waiting') this.fail(error);
    else this.end = { error };
  }

  complete(): void {
    this.end = 'complete';
    if (this.state !== 'waiting') return;
    this.isBarren = true;
    const { judges, onEmpty } = this.attempt.candidate;
    const mayBeEmpty = judges.some(({ hook }) => hook === 'isEmpty');
    this.decide(mayBeEmpty ? EMPTY_RULINGS[onEmpty] : RULINGS.ok);
  }

  /**
   * Commits it, if its elements can carry the mark they need.
   * @param isRecorded it was held meanwhile, and its attempt written down
   */
  commit(ruling: Ruling, isRecorded: boolean): typeof COMMITTED | typeof UNMARKABLE {
    if (this.isUnmarkable) return UNMARKABLE;
    if (commit(this.call, this.attempt, this, ruling, isRecorded)) return COMMITTED;
    this.isUnmarkable = true;
    this.close();
    return UNMARKABLE;
  }

  private open(given: unknown, isPromised: boolean): void {
    if (this.state === 'closed') {
      this.discard(given);
      return;
    }
    this.given = given;
    try {
      this.source = this.sourceOf(given, isPromised);
      this.source.start();
    } catch (error) {
      this.failToStart(error);
      return;
    }
    if (this.elements.length === 0) this.source.pull();
  }

  /** It may have given elements before, and committed. */
  private failToStart(error: unknown): void {
    const { source } = this;
    if (source === null) {
      this.fail(error);
      return;
    }
    source.close();
    source.sink.error(error);
  }

  private sourceOf(given: unknown, isPromised: boolean): Source {
    const { engine, stream } = this.call.plan;
    const source = sourceOf(given, this, engine.subscribe);
    if (source !== null) return source;
    // Nothing at all is no value, but one that was promised is.
    const isValue = stream!.kind === 'observable' && (isPromised || (given !== undefined && given !== null));
    if (isValue) return sourceOfValue(given, this);
    throw noStream(given);
  }

  /** A source that came too late was never read, and may still hold something. */
  private discard(given: unknown): void {
    quietly(() => sourceOf(given, this, this.call.plan.engine.subscribe)?.close());
  }

  private askForMore(): void {
    this.silence?.begin();
    this.source?.pull();
  }

  private ask(hook: 'errorIn' | 'commitWhen', fn: (element: never) => unknown, element: unknown): unknown {
    let cause: unknown;
    try {
      const said = fn.call(this.call.host, unwrap(this.call, element) as never);
      if (!isLate(said)) return said;
      cause = new TypeError(`${hook} must answer at once`);
    } catch (error) {
      cause = error;
    }
    this.decide(unjudged(this.attempt, { hook }, element, cause));
    return UNASKED;
  }

  private judge(element: unknown): void {
    this.state = 'judging';
    const ruling = judgeValue(this.attempt, element);
    if (ruling instanceof Promise) void ruling.then((late) => this.decide(late));
    else this.decide(ruling);
  }

  private decide(ruling: Ruling): void {
    if (this.state === 'closed') return;
    this.state = 'judged';
    this.attempt.ruled = ruling;
    const isOver = this.attempt.cut !== null || this.call.cancellation !== null;
    const isServed = ruling.next === 'accept' || (ruling.next === 'stop' && !isFailure(ruling.kind));
    // What has ended without an emission that counts is concluded by the walk.
    if (isServed && !isOver && !this.isBarren && this.commit(ruling, false) === COMMITTED) {
      this.resolve(COMMITTED);
      return;
    }
    // What is held may yet be served.
    if (isFailure(ruling.kind) && ruling.next !== 'hold') this.attempt.drop(this.attempt.error);
    this.resolve(this);
  }

  private fail(error: unknown): void {
    if (this.state === 'closed') return;
    this.attempt.drop(error);
    this.reject(error);
  }

  private close(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.silence?.stopTimer();
    this.source?.close();
    // The permit of one that was held; the others' attempts may go on with another try.
    if (this.attempt.ruled?.next === 'hold') this.attempt.candidate.traffic?.permits.giveBack(this.attempt);
    // Whoever was dropped has its reason already.
    this.attempt.drop(NOT_NEEDED);
  }
}

/** Why the signal of a candidate is aborted whose stream was held until somebody else was served. */
const NOT_NEEDED = new DOMException('Another candidate is served', 'AbortError');

/** A hook gave no answer. */
const UNASKED: unique symbol = Symbol('unasked');
