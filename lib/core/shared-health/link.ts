/**
 * The way to a shared health store. When the store fails, that is one event; from then on every process goes on by its own
 * circuits, and the store is tried again once a second. When it is back, that is one event, and everybody catches up.
 */
import type { HealthStore } from '../health-store.js';
import type { Clock, FallbackEvent } from '../types.js';
import { Aside } from './aside.js';
import type { Ask, Correspondent } from './correspondent.js';
import { Hearing } from './hearing.js';
import { after, within } from './patience.js';
import type { Timer } from './patience.js';
import { Questions } from './questions.js';
import type { Trouble } from './questions.js';

/** How soon a store that has failed is tried again, ms. */
const RETRY = 1_000;
/** How long one that owes us an answer is not asked again, ms: what waits in a client's queue must not pile up. */
const PATIENCE = 30_000;
/** Questions that are open at once; more are not asked. */
const QUESTIONS = 256;
/** Who catches up at once. */
const BATCH = 32;
/** How long a store may take to end, ms, whatever it may take to answer. */
const LONGEST_END = 5_000;

const NONE = { chain: '', operation: '', because: 'error' } as const;

/** Who the link works for. @internal */
export interface Principal {
  readonly clock: Clock;
  report(event: Omit<FallbackEvent, 'at'>): void;
}

/** @internal */
export class HealthLink {
  /** the store is given up for now */
  isAway = false;
  private isClosed = false;
  private catchingUp: Promise<void> | null = null;
  private readonly all = new Map<string, Correspondent>();
  /** who has to catch up */
  private behind: Correspondent[] = [];
  private readonly aside: Aside;
  private trouble: { chain: string; operation: string; because: Trouble } = NONE;
  private readonly questions: Questions;
  private retry: Timer | null = null;
  private readonly hearing = new Hearing();

  /** @param timeout how long the store may take to answer, ms */
  constructor(
    private readonly principal: Principal,
    private readonly store: HealthStore,
    readonly timeout: number,
  ) {
    this.questions = new Questions(principal.clock, timeout);
    this.aside = new Aside(principal.clock, async (who) => !this.isAway && (await who.catchUp(this.attempt)));
  }

  /** As many questions are open as may be. */
  get isBusy(): boolean {
    return this.questions.open >= QUESTIONS;
  }

  /** Takes somebody in, who catches up as soon as whoever adds him has done. */
  add(correspondent: Correspondent): void {
    if (this.isClosed) return;
    if (this.all.size === 0) {
      this.hearing.begin(
        this.store,
        (change) => this.hear(change),
        () => this.askAll(),
      );
    }
    this.all.set(correspondent.key, correspondent);
    this.behind.push(correspondent);
    if (this.behind.length === 1 && !this.isAway) void Promise.resolve().then(() => this.catchUp());
  }

  /** Until those who were added have caught up, or the store has had its time. */
  async met(): Promise<void> {
    if (this.timeout !== Infinity) await within(this.principal.clock, this.timeout, this.catchUp());
  }

  /** Asks, unless the store is away. */
  readonly ask: Ask = (question, who) =>
    this.isAway || this.isClosed || this.aside.has(who) ? Promise.resolve(null) : this.put(question, who);

  /** What is being asked may still be answered, in its time; then the store is let go of. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    const ask = this.isAway ? async () => null : this.attempt;
    const left = [...this.all.values()].map((each) => each.leave(ask));
    this.isClosed = true;
    this.retry?.clear();
    this.aside.close();
    const { clock } = this.principal;
    const time = Math.min(this.timeout, LONGEST_END);
    await within(
      clock,
      time,
      Promise.all(left).then(() => this.questions.allOver()),
    );
    this.hearing.end();
    if (typeof this.store.close === 'function') {
      await within(
        clock,
        time,
        this.questions.ask(() => this.store.close!(), { read: () => true }),
      );
    }
    this.questions.close();
  }

  private readonly put: Ask = async (question, who) => {
    const answer = await this.attempt(question, who);
    if (answer === null) this.giveUp();
    return answer;
  };

  /** A question whose failure is judged by whoever asks it. */
  private readonly attempt: Ask = async (question, who) => {
    const reply = await this.questions.ask(() => question.put(this.store), question);
    if (typeof reply === 'object') return reply.said;
    this.trouble = { chain: who.chain, operation: question.operation, because: reply };
    return null;
  };

  private giveUp(): void {
    if (this.isClosed) return;
    if (!this.isAway) this.principal.report({ name: 'store.failed', ...this.trouble });
    this.isAway = true;
    this.tryLater();
  }

  private tryLater(): void {
    if (this.retry !== null || this.isClosed) return;
    this.retry = after(this.principal.clock, RETRY, () => {
      this.retry = null;
      const isOwed = this.questions.isOwed && this.principal.clock.now() - this.questions.lastAskedAt < PATIENCE;
      if (isOwed) return this.tryLater();
      // First who has been refused something: that alone shows whether it would be taken now.
      this.behind = [...this.all.values()].sort((a, b) => Number(b.hasUntold) - Number(a.hasUntold));
      void this.catchUp();
    });
  }

  private catchUp(): Promise<void> {
    this.catchingUp ??= this.catchUpAll().finally(() => {
      this.catchingUp = null;
      if (this.isAway) this.tryLater();
    });
    return this.catchingUp;
  }

  private async catchUpAll(): Promise<void> {
    while (this.behind.length > 0 && !this.isClosed) {
      const batch = this.behind.splice(0, this.isAway ? 1 : BATCH);
      const taken = await Promise.all(batch.map((each) => each.catchUp(this.attempt)));
      const refused = batch.filter((_, place) => !taken[place]);
      if (refused.length > 0 && !(await this.areAlone(refused, batch))) return this.giveUp();
      for (const each of refused) this.aside.add(each);
      if (this.isAway) this.comeBack(batch[0]!);
      else if (refused.length > 0) this.principal.report({ name: 'store.failed', ...this.trouble });
    }
  }

  /** The store has answered, and refused them; others are not refused. */
  private async areAlone(refused: readonly Correspondent[], batch: readonly Correspondent[]): Promise<boolean> {
    if (this.trouble.because === 'timeout') return false;
    if (refused.length < batch.length) return true;
    const next = this.behind.shift();
    return next !== undefined && next.catchUp(this.attempt);
  }

  private comeBack({ chain }: Correspondent): void {
    this.isAway = false;
    this.questions.forgive();
    this.retry?.clear();
    this.retry = null;
    this.principal.report({ name: 'store.recovered', chain, operation: 'admit' });
    // What came up while the first caught up was kept, as long as the store was away.
    const late = [...this.all.values()].filter((each) => each.hasUntold && !this.aside.has(each));
    this.behind = [...new Set([...this.behind, ...late])];
  }

  /** Changes may not have been heard. A store that is away is asked for everything when it is back. */
  private askAll(): void {
    if (this.isAway || this.isClosed) return;
    this.behind = [...this.all.values()].filter((each) => !this.aside.has(each));
    void this.catchUp();
  }

  private hear(change: { readonly key: string }): void {
    if (!this.isClosed) this.all.get(change.key)?.hear(change);
  }
}
