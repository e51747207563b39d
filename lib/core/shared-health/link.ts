/**
 * The way to a shared health store. When the store fails, that is one event; from then on every process goes on by its own
 * circuits, and the store is tried again once a second. When it is back, that is one event, and everybody catches up.
 */
import type { CircuitReading, HealthStore } from '../health-store.js';
import { ignore, isThenable } from '../thenable.js';
import type { Clock, FallbackEvent } from '../types.js';
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

/** Who the link works for. @internal */
export interface Principal {
  readonly clock: Clock;
  report(event: Omit<FallbackEvent, 'at'>): void;
}

/** What a store is asked, and what counts as an answer. @internal */
export interface Question<T> {
  readonly operation: 'admit' | 'record' | 'control';
  readonly put: (store: HealthStore) => PromiseLike<T>;
  readonly isAnswer: (said: unknown) => boolean;
}

/** Asks; null if there was no answer. @internal */
export type Ask = <T>(question: Question<T>, chain: string) => Promise<{ readonly said: T } | null>;

/** One circuit that is kept in the store. @internal */
export interface Correspondent {
  readonly key: string;
  /** a chain that uses it */
  readonly chain: string;
  /** has something to tell that the store has not taken */
  readonly isBehind: boolean;
  /** Hears of a change, whoever caused it. */
  hear(change: CircuitReading): void;
  /** Tells what the store has not taken, and asks how things are; false without an answer. */
  catchUp(ask: Ask): Promise<boolean>;
}

/** @internal */
export class HealthLink {
  /** the store is given up for now */
  isAway = false;
  private isClosed = false;
  private catchingUp: Promise<void> | null = null;
  private readonly all = new Map<string, Correspondent>();
  private behind: Correspondent[] = [];
  private readonly questions: Questions;
  private retry: ReturnType<Clock['setTimer']> | null = null;
  private unsubscribe: (() => unknown) | null = null;

  /** @param timeout how long the store may take to answer, ms */
  constructor(
    private readonly principal: Principal,
    private readonly store: HealthStore,
    readonly timeout: number,
  ) {
    this.questions = new Questions(principal.clock, timeout);
  }

  /** Takes somebody in, who catches up as soon as whoever adds him has done. */
  add(correspondent: Correspondent): void {
    if (this.isClosed) return;
    if (this.all.size === 0) this.subscribe();
    this.all.set(correspondent.key, correspondent);
    this.behind.push(correspondent);
    if (this.behind.length === 1 && !this.isAway) void Promise.resolve().then(() => this.catchUp());
  }

  /** Until those who were added have caught up, or the store has had its time. Keeps the process alive meanwhile. */
  async met(): Promise<void> {
    if (this.timeout === Infinity) return;
    const { clock } = this.principal;
    let timer: ReturnType<Clock['setTimer']> | undefined;
    const isOver = new Promise<void>((resolve) => {
      timer = clock.setTimer(resolve, this.timeout);
    });
    await Promise.race([this.catchUp(), isOver]);
    timer!.clear();
  }

  /** Asks, unless the store is away. */
  readonly ask: Ask = (question, chain) =>
    this.isAway || this.isClosed || this.questions.open >= QUESTIONS
      ? Promise.resolve(null)
      : this.put(question, chain);

  /** What is being asked may still be answered, in its time; then the store is let go of. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.retry?.clear();
    await this.questions.allOver();
    quietly(() => this.unsubscribe?.());
    if (typeof this.store.close === 'function')
      await this.questions.ask(
        () => this.store.close!(),
        () => true,
      );
    this.questions.close();
  }

  private readonly put: Ask = async ({ operation, put, isAnswer }, chain) => {
    const reply = await this.questions.ask(() => put(this.store), isAnswer);
    if (typeof reply === 'object') return reply;
    this.giveUp(operation, chain, reply);
    return null;
  };

  private giveUp(operation: string, chain: string, because: Trouble): void {
    if (this.isClosed) return;
    if (!this.isAway) this.principal.report({ name: 'store.failed', chain, operation, because });
    this.isAway = true;
    if (this.retry === null) this.tryLater();
  }

  private tryLater(): void {
    const { clock } = this.principal;
    this.retry = clock.setTimer(() => {
      this.retry = null;
      const isOwed = this.questions.isOwed && clock.now() - this.questions.lastAskedAt < PATIENCE;
      if (isOwed) return this.tryLater();
      // First who has been refused something: that alone shows whether it would be taken now.
      this.behind = [...this.all.values()].sort((a, b) => Number(b.isBehind) - Number(a.isBehind));
      void this.catchUp();
    }, RETRY);
    this.retry.unref();
  }

  private catchUp(): Promise<void> {
    this.catchingUp ??= this.catchUpAll().finally(() => {
      this.catchingUp = null;
    });
    return this.catchingUp;
  }

  private async catchUpAll(): Promise<void> {
    while (this.behind.length > 0 && !this.isClosed) {
      const batch = this.behind.splice(0, this.isAway ? 1 : BATCH);
      const haveAnswers = await Promise.all(batch.map((each) => each.catchUp(this.put)));
      if (haveAnswers.includes(false)) break;
      if (this.isAway) this.comeBack(batch[0]!);
    }
  }

  private comeBack({ chain }: Correspondent): void {
    this.isAway = false;
    this.questions.forgive();
    this.retry?.clear();
    this.retry = null;
    this.principal.report({ name: 'store.recovered', chain, operation: 'admit' });
  }

  /** Who hears of no change learns it by asking. */
  private subscribe(): void {
    quietly(() => {
      this.unsubscribe =
        this.store.subscribe?.((change) => quietly(() => this.all.get(change.key)?.hear(change))) ?? null;
    });
  }
}

/** What a store does with those who listen must not fail anybody. */
function quietly(act: () => unknown): void {
  try {
    const given = act();
    if (isThenable(given)) given.then(ignore, ignore);
  } catch {
    // see above
  }
}
