/** Calls of one process, evenly in time, each of which is looked at: is it its own answer, and did it come in time? */
import { setTimeout as pause } from 'node:timers/promises';
import { FallbackExhaustedError, receiptOf } from 'nestjs-fallback';
import { LoopDelay } from './loop-delay.js';
import { UNLUCKY } from './member-app.js';
import type { Geocoder } from './member-app.js';
import { numbersOf } from './numbers.js';
import type { Answer, Late, LoadSeen, Tally, Wrong } from './orders.js';

const KEYS = 50;
/** Of calls, for which the backup is down. */
const UNLUCKY_SHARE = 0.1;
/** Of calls, of the chain that has nobody to stand in. */
const ALONE_SHARE = 0.2;
/** The loop has turned by then, so its delays are known. */
const LOOK_BACK = 50;
const NOT_LATE: Late = { raw: -Infinity, loop: 0 };
const MOST_WRONG = 10;

export class Load {
  private calls = 0;
  private pending = 0;
  private readonly answers: Tally = {};
  private readonly wrong: Wrong[] = [];
  private latest = NOT_LATE;
  private latestOwn = NOT_LATE;
  private isOver = false;
  private readonly delay = new LoopDelay();
  private readonly next: () => number;

  constructor(
    private readonly geocoder: Geocoder,
    private readonly deadline: number,
    seed: number,
  ) {
    this.next = numbersOf(seed);
  }

  async run(perSecond: number): Promise<void> {
    const started = performance.now();
    for (let made = 0; !this.isOver;) {
      const due = ((performance.now() - started) / 1_000) * perSecond;
      // After a pause of the loop not all at once: that is another test.
      if (due > made + perSecond / 10) made = Math.floor(due);
      for (; made < due; made++) void this.call();
      await pause(5);
    }
  }

  seen(): LoadSeen {
    const { calls, pending, answers, wrong, latest, latestOwn } = this;
    return { calls, pending, answers: { ...answers }, wrong, latest, latestOwn };
  }

  /** Once the last call has been answered and looked at. */
  async stop(): Promise<LoadSeen> {
    this.isOver = true;
    while (this.pending > 0) await pause(10);
    this.delay.stop();
    return this.seen();
  }

  private async call(): Promise<void> {
    const key = `key-${Math.floor(this.next() * KEYS)}`;
    const isUnlucky = this.next() < UNLUCKY_SHARE;
    const isAlone = this.next() < ALONE_SHARE;
    const nonce = `${isUnlucky ? UNLUCKY : 'nonce'}-${process.pid}-${this.calls++}`;
    this.pending++;
    const from = performance.now();
    const got: unknown = await this.geocoder[isAlone ? 'findAlone' : 'find'](key, nonce).catch((error: Error) => error);
    const to = performance.now();
    const source = isAlone ? sourceOfLonely(got, nonce) : sourceOf(got, key, nonce, isUnlucky);
    if (source !== null) this.answers[source] = (this.answers[source] ?? 0) + 1;
    else if (this.wrong.push({ asked: { key, nonce }, got: got instanceof Error ? String(got) : got }) > MOST_WRONG)
      this.wrong.length = MOST_WRONG;
    await pause(LOOK_BACK);
    this.judge({ raw: to - from - this.deadline, loop: this.delay.during(from, to) });
    this.pending--;
  }

  private judge(late: Late): void {
    if (late.raw > this.latest.raw) this.latest = late;
    if (late.raw - late.loop > this.latestOwn.raw - this.latestOwn.loop) this.latestOwn = late;
  }
}

/** The same where the provider's own answer is all that may come, or the error that says that there is none. */
function sourceOfLonely(got: unknown, nonce: string): string | null {
  if (got instanceof FallbackExhaustedError) return 'exhausted';
  const { from, nonce: given, degraded } = (got ?? {}) as Partial<Answer>;
  return from === 'primary' && given === nonce && degraded === undefined ? 'alone' : null;
}

/** Where an answer came from; null if it is not what this call may be given. */
function sourceOf(got: unknown, key: string, nonce: string, isUnlucky: boolean): string | null {
  if (typeof got !== 'object' || got === null) return null;
  const { from, degraded = false, ...answer } = got as Answer;
  if (answer.key !== key) return null;
  const isOwn = answer.nonce === nonce;
  if (!degraded) return isOwn && (from === 'primary' || (from === 'backup' && !isUnlucky)) ? from : null;
  const source = receiptOf(got)?.source;
  if (source === 'last-known-good') return from === 'substitute' ? null : source;
  return source === 'static' && from === 'substitute' && isOwn ? source : null;
}
