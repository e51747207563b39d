import { Injectable } from '@nestjs/common';
import { ChainHealthService, Degraded, FallbackChain, FallbackService } from '../../lib/index.js';
import type {
  CandidateHealth,
  ChainOptions,
  DegradedOptions,
  FallbackEvent,
  HealthStore,
  Receipt,
} from '../../lib/index.js';
import { MemoryHealthStore } from '../../lib/testing/index.js';
import { boot } from './apps.js';
import { attemptsOf } from './ladder.js';
import { TestClock, settle } from './test-clock.js';

/** The provider that all processes call; what it does next. */
export interface Provider {
  /** an error that it answers with; null while it is well */
  trouble: unknown;
  calls: number;
  /** virtual ms of each call */
  takes: number;
}

export interface FleetSetup {
  readonly options?: ChainOptions;
  readonly degraded?: DegradedOptions;
  /** default: a second candidate that always answers; false: the provider is alone */
  readonly hasBackup?: boolean;
  readonly storeTimeout?: number;
  /** no store of health: each application by itself */
  readonly isAlone?: boolean;
}

/** One application of the fleet. */
export interface Member {
  readonly events: FallbackEvent[];
  readonly health: ChainHealthService;
  /** What the call gave, or its error's code; and who was tried: `a:transient b:ok`. */
  ask(): Promise<{ value: unknown; tried: string }>;
  circuit(): CandidateHealth;
  close(): Promise<void>;
}

const CHAIN = 'geocoder';

/** A store that may be broken: while there is a fault, that is what answers. */
export class FaultyHealthStore implements HealthStore {
  fault: ((operation: 'admit' | 'record' | 'control') => unknown) | null = null;
  readonly asked: string[] = [];
  isClosed = false;
  listeners = 0;
  inner: HealthStore;

  constructor(clock: TestClock, inner?: HealthStore) {
    this.inner = inner ?? new MemoryHealthStore({ clock });
  }

  admit(...args: Parameters<HealthStore['admit']>) {
    return this.answer('admit', () => this.inner.admit(...args));
  }

  record(...args: Parameters<HealthStore['record']>) {
    return this.answer('record', () => this.inner.record(...args));
  }

  control(...args: Parameters<HealthStore['control']>) {
    return this.answer('control', () => this.inner.control(...args));
  }

  subscribe(listener: Parameters<NonNullable<HealthStore['subscribe']>>[0]) {
    this.listeners++;
    const stop = this.inner.subscribe!((change) => {
      if (this.fault === null) listener(change);
    });
    return () => {
      this.listeners--;
      stop();
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  private answer<T>(operation: 'admit' | 'record' | 'control', ask: () => PromiseLike<T>): PromiseLike<T> {
    this.asked.push(operation);
    return this.fault === null ? ask() : (this.fault(operation) as PromiseLike<T>);
  }
}

/** Several applications in this process, with one clock, one store of health, and one provider. */
export class Fleet {
  readonly clock = new TestClock();
  readonly store = new FaultyHealthStore(this.clock);
  readonly provider: Provider = { trouble: null, calls: 0, takes: 0 };

  constructor(private readonly setup: FleetSetup = {}) {}

  /** Starts one more application. */
  async join(store: HealthStore = this.store): Promise<Member> {
    const { options, degraded, hasBackup = true, storeTimeout, isAlone = false } = this.setup;
    const { clock, provider } = this;
    const events: FallbackEvent[] = [];
    const backup = { name: 'b', run: () => Promise.resolve('backup') };

    @Injectable()
    class Geocoder {
      @FallbackChain(hasBackup ? [backup] : [], { name: CHAIN, timeout: 1_000, ...options, primary: { name: 'a' } })
      @Degraded({ mark: 'receipt', ...degraded } as { mark: 'receipt' })
      async find(): Promise<string> {
        provider.calls++;
        const { trouble, takes } = provider;
        if (takes > 0) await clock.sleep(takes);
        if (trouble !== null) throw trouble;
        return 'primary';
      }
    }
    const observers = [(event: FallbackEvent) => void events.push(event)];
    const timeout = storeTimeout === undefined ? {} : { storeTimeout };
    const app = await boot({
      providers: [Geocoder],
      fallback: { clock, observers, ...timeout, ...(!isAlone && { healthStore: store }) },
    });
    await settle();
    const health = app.get(ChainHealthService);
    const ask = async () => {
      let tried = '';
      const { value } = await app
        .get(FallbackService)
        .withReceipt(async () => {
          const given: unknown = await app
            .get(Geocoder)
            .find()
            .catch((error: { code?: string; message: string }) => error.code ?? error.message);
          return given;
        })
        .then((watched: { value: unknown; receipt?: Receipt | undefined }) => {
          tried = watched.receipt === undefined ? '' : attemptsOf(watched.receipt).join(' ');
          return watched;
        });
      await settle();
      return { value, tried };
    };
    return { events, health, ask, circuit: () => health.snapshot(CHAIN).candidates[0]!, close: () => app.close() };
  }

  /** Starts so many applications. */
  async start(count: number): Promise<Member[]> {
    const members: Member[] = [];
    for (let left = count; left > 0; left--) members.push(await this.join());
    return members;
  }

  breakDown(trouble: unknown = new Error('down')): void {
    this.provider.trouble = trouble;
  }

  mend(): void {
    this.provider.trouble = null;
  }
}

/** Lets the store's answers and what follows from them arrive. */
export async function hear(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await settle();
}

export const namesOf = (events: readonly FallbackEvent[], prefix: string): string[] =>
  events.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name);

/** Three failures in one application: the circuit is open, and whoever may hear it knows. */
export async function openBy(fleet: Fleet, member: Member): Promise<void> {
  fleet.breakDown();
  for (let turn = 0; turn < 3; turn++) await member.ask();
  await hear();
}

/** What a store answers that refuses. */
export const refuses = (): Promise<never> => Promise.reject(new Error('redis://:secret@cache'));
