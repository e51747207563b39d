/**
 * A stream after its commit. Elements pass as they come, and nothing is spliced: an error passes unchanged, with no other
 * candidate and no substitute behind it. The attempt has its one outcome when the stream ends, however it ends.
 */
import { tellServed } from '../answer.js';
import type { Attempt } from '../attempt.js';
import { tellStopped } from '../ending.js';
import { judgeError, reportHook } from '../judge.js';
import { setReceipt } from '../marks.js';
import { noteHealth } from '../note-health.js';
import { UNMARKABLE } from '../plan.js';
import type { Collector } from '../plan.js';
import { receiptFor, renew } from '../receipt.js';
import { isLate } from '../thenable.js';
import { unwrap } from '../unwrap.js';
import { OUT_OF_TIME, RULINGS, UNJUDGED, isFailure } from '../verdict.js';
import type { Ruling } from '../verdict.js';
import { limitOf } from './limit.js';
import type { Limit } from './limit.js';
import type { Opened, Serving } from './serving.js';
import { silenceOf } from './silence.js';
import type { Silence } from './silence.js';
import type { Consumer, Feed, Sink, Source } from './sink.js';
import { CONSUMER_LEFT } from './stream-call.js';
import type { Flow, StreamCall } from './stream-call.js';

/** How a stream flows. @internal */
export interface Flowing extends Serving {
  readonly ruling: Ruling;
  readonly collector: Collector | null;
  /** its attempt was written down when it was held */
  readonly isRecorded: boolean;
  /** its commit closed the circuit: its success is known */
  readonly isProven: boolean;
}

/** @internal */
export class ElementFlow implements Sink, Flow, Feed {
  private readonly consumer: Consumer;
  private readonly silence: Silence | null;
  private readonly limit: Limit | null;
  /** nothing is done to an element on its way */
  private readonly isPlain: boolean;
  /** what was asked for and has not come */
  private wanted = 0;
  private isOver = false;
  /** what an element has told of */
  private told: { readonly error: unknown } | null = null;

  constructor(
    private readonly call: StreamCall,
    private readonly attempt: Attempt,
    private readonly source: Source,
    private readonly serving: Flowing,
  ) {
    const { stream } = call.plan;
    this.consumer = call.consumer;
    this.silence = silenceOf(call, (error) => this.cut(error, RULINGS.timeout));
    this.limit = limitOf(call, (error) => this.cut(error, OUT_OF_TIME));
    const { shape, collector } = serving;
    this.isPlain = this.silence === null && shape === null && collector === null && stream!.errorIn === null;
  }

  /** Gives what was held back, then lets the rest flow. */
  begin(shaped: readonly unknown[], opened: Opened): void {
    const { elements: held } = opened;
    // What the source gives meanwhile is added to the list.
    for (let place = 0; place < held.length; place++) {
      if (this.isOver) return;
      if (place >= opened.read) this.listen(held[place]);
      if (place < shaped.length) this.consumer.next(shaped[place]);
      else this.pass(held[place]);
    }
    this.source.sink = this;
    this.source.taker = this.isPlain ? this.consumer.taker(this.source.isPushing) : this;
    if (this.isOver) return;
    const { end } = opened;
    if (end === 'complete') this.complete();
    else if (end !== null) this.error(end.error);
    else {
      if (this.source.isPushing) this.silence?.begin();
      this.consumer.attach(this);
    }
  }

  get isPushing(): boolean {
    return this.source.isPushing;
  }

  pull(): void {
    this.wanted++;
    this.silence?.begin();
    this.source.pull();
  }

  next(element: unknown): void {
    this.listen(element);
    this.pass(element);
  }

  error(error: unknown): void {
    if (this.isOver) return;
    this.fail(error);
    this.consumer.error(error);
  }

  complete(): void {
    if (this.isOver) return;
    if (this.told === null) this.serving.collector?.keep();
    this.succeed();
    this.consumer.complete();
  }

  leave(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.attempt.drop(CONSUMER_LEFT);
    this.succeed();
  }

  /** Reaches the source at once. Whoever is about to leave for the same reason is not told of an error. */
  cancel(reason: unknown): void {
    if (!this.stop(reason, RULINGS.cancelled)) return;
    void Promise.resolve().then(() => this.consumer.error(reason));
  }

  private pass(element: unknown): void {
    const { shape, collector } = this.serving;
    this.silence?.stopTimer();
    if (this.wanted > 0) this.wanted--;
    collector?.add(element);
    const shown = shape === null ? element : shape(element);
    if (shown === UNMARKABLE) {
      const { name, engine } = this.call.plan;
      engine.report({ name: 'substitute.unmarkable', chain: name, source: this.serving.ending.source });
      this.cut(new TypeError(`An element of the degraded stream of ${name} cannot carry its mark`), UNJUDGED);
      return;
    }
    this.consumer.next(shown);
    if ((this.source.isPushing || this.wanted > 0) && !this.isOver) this.silence?.begin();
  }

  /** An element that tells of an error passes like any other, but what it belongs to was no success. */
  private listen(element: unknown): void {
    const { plan, host } = this.call;
    const { errorIn } = plan.stream!;
    if (errorIn === null || this.told !== null) return;
    try {
      const error = errorIn.call(host, unwrap(this.call, element) as never);
      if (error !== undefined && error !== null && !isLate(error)) this.told = { error };
    } catch {
      reportHook(this.attempt, 'errorIn');
    }
  }

  private succeed(): void {
    if (this.told === null) this.settle(this.serving.ruling);
    else this.fail(this.told.error);
  }

  private fail(error: unknown): void {
    this.isOver = true;
    this.attempt.error = error;
    const ruling = judgeError(this.attempt);
    if (ruling instanceof Promise) void this.settleLate(ruling);
    else this.settle(ruling);
  }

  /** Ends it for a reason that is not its source's. */
  private cut(error: unknown, ruling: Ruling): void {
    if (this.stop(error, ruling)) this.consumer.error(error);
  }

  private stop(error: unknown, ruling: Ruling): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.attempt.error = error;
    this.attempt.drop(error);
    this.settle(ruling);
    return true;
  }

  private async settleLate(ruling: Promise<Ruling>): Promise<void> {
    this.settle(await ruling);
  }

  private settle(ruling: Ruling): void {
    const { call, attempt, serving } = this;
    this.isOver = true;
    this.silence?.stopTimer();
    this.limit?.stopTimer();
    attempt.candidate.traffic?.permits.giveBack(attempt);
    const now = call.plan.engine.clock.now();
    const isKnown = (serving.isProven || serving.isRecorded) && ruling.health === 'success';
    if (!isKnown) noteHealth(attempt, ruling, now);
    if (!serving.isRecorded) call.write(attempt, undefined, ruling, now);
    this.tell(ruling, now);
    call.end();
  }

  private tell({ kind }: Ruling, now: number): void {
    const { call, serving } = this;
    if (!isFailure(kind)) {
      if (serving.receipt !== null) tellServed(call, renew(serving.receipt, call, now));
      return;
    }
    const receipt = renew(serving.receipt ?? receiptFor(call, serving.ending, now), call, now);
    receipt.stoppedBy = kind;
    setReceipt(this.attempt.error, receipt);
    tellStopped(call, receipt);
  }
}
