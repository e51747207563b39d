import { afterEach } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  Attempt,
  AttemptSignal,
  ChainHealthService,
  Degraded,
  FallbackChain,
  FallbackModule,
  FallbackService,
} from '../../lib/index.js';
import type {
  AttemptContext,
  CandidateHealth,
  CandidateOptions,
  ChainOptions,
  DegradedOptions,
  FallbackEvent,
  FallbackModuleOptions,
  Receipt,
} from '../../lib/index.js';
import { stepOf } from './plays.js';
import type { Play } from './plays.js';
import { TestClock } from './test-clock.js';

/** A candidate that plays a script. The first rung of a ladder is the decorated method itself. */
interface Rung extends CandidateOptions {
  readonly name: string;
  readonly plays: Play;
}

export interface Setup {
  readonly rungs: readonly Rung[];
  readonly options?: ChainOptions;
  /** its mark is `'receipt'` unless another stands here */
  readonly degraded?: DegradedOptions;
  /** options of the module; `observers` are added to the ladder's own */
  readonly module?: FallbackModuleOptions;
  /** false: nobody listens and no receipt scope is opened, as in a production call that nobody watches */
  readonly isWatched?: boolean;
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Host {
  run(question?: unknown, ctx?: AttemptContext, signal?: AbortSignal): Promise<unknown>;
}
type Candidate = { name: string; run(ctx: AttemptContext, ...args: any[]): any } & CandidateOptions;

export const CHAIN = 'ladder';
/** What calls in flight get at shutdown, ms. */
const DRAIN = 5_000;

/** One call under way, and how it ended. */
export class Call {
  outcome: Outcome | undefined;
  receipt: Receipt | undefined;
  /** virtual ms from its start to its end */
  took: number | undefined;

  get isSettled(): boolean {
    return this.outcome !== undefined;
  }

  /** What it gave; fails the test if it gave nothing. */
  get value(): unknown {
    if (this.outcome === undefined || 'error' in this.outcome) throw new Error('the call gave no value');
    return this.outcome.value;
  }

  /** What it rejected with; fails the test if it did not. */
  get error(): unknown {
    if (this.outcome === undefined || 'value' in this.outcome) throw new Error('the call did not reject');
    return this.outcome.error;
  }

  /** `a:transient`, `a:skipped(cooling)`; none without a receipt. */
  get attempts(): string[] {
    return this.receipt === undefined ? [] : attemptsOf(this.receipt);
  }
}

export function attemptsOf({ attempts }: Receipt): string[] {
  return attempts.map(
    ({ candidate, kind, reason }) => `${candidate}:${kind}${reason === undefined ? '' : `(${reason})`}`,
  );
}

/** `closed 0`, `open 1 for 5000`, `half-open 1`: state, consecutive failures, what is left of the cooldown. */
function brief({ state, consecutiveFailures, coolingFor }: CandidateHealth): string {
  return `${state} ${consecutiveFailures}${coolingFor === 0 ? '' : ` for ${coolingFor}`}`;
}

/** A Nest application with one decorated provider whose candidates play scripts on a test clock. */
export class Ladder {
  /** every event so far */
  readonly events: FallbackEvent[] = [];
  /** calls of each candidate so far */
  readonly calls: Record<string, number>;
  /** the context of every attempt, in order */
  readonly contexts: AttemptContext[] = [];
  /** what the application's logger was warned of */
  readonly warnings: string[] = [];
  readonly clock = new TestClock();
  private readonly bornAt = this.clock.now();
  private app: INestApplication | undefined;

  constructor(private readonly setup: Setup) {
    this.calls = Object.fromEntries(setup.rungs.map(({ name }) => [name, 0]));
  }

  /** Builds and initialises the application. */
  async open(): Promise<this> {
    const { module, isWatched = true } = this.setup;
    const observers = isWatched ? [(event: FallbackEvent) => this.events.push(event)] : [];
    const quiet = () => {};
    const testing = await Test.createTestingModule({
      imports: [
        FallbackModule.forRoot({
          clock: this.clock,
          logger: false,
          ...module,
          observers: [...observers, ...(module?.observers ?? [])],
        }),
      ],
      providers: [this.provider()],
    })
      .setLogger({ log: quiet, error: quiet, warn: (message: string) => this.warnings.push(message) })
      .compile();
    this.app = testing.createNestApplication();
    await this.app.init();
    return this;
  }

  async close(): Promise<void> {
    const closing = this.app?.close();
    await this.clock.advance(DRAIN);
    await closing;
  }

  /** Starts a call; it goes on while the clock is moved. */
  begin(question?: unknown, signal?: AbortSignal): Call {
    const call = new Call();
    const startedAt = this.clock.now();
    const run = async () => {
      call.outcome = await outcomeOf(() => this.host.run(question, undefined, signal));
      call.took = this.clock.now() - startedAt;
    };
    void (this.setup.isWatched === false ? run() : this.watch(call, run));
    return call;
  }

  /** A whole call, which may take this long on the clock. */
  async call(question?: unknown, takes = 0): Promise<Call> {
    const call = this.begin(question);
    await this.clock.advance(takes);
    return call;
  }

  /** Moves the clock to so many ms after the ladder was built. */
  async goTo(at: number): Promise<void> {
    await this.clock.advance(this.bornAt + at - this.clock.now());
  }

  get health(): ChainHealthService {
    return this.app!.get(ChainHealthService);
  }

  /** The health of each candidate in brief. */
  get circuits(): Record<string, string> {
    const { candidates } = this.health.snapshot(this.setup.options?.name ?? CHAIN);
    return Object.fromEntries(candidates.map((candidate) => [candidate.candidate, brief(candidate)]));
  }

  eventsNamed(...names: FallbackEvent['name'][]): FallbackEvent[] {
    return this.events.filter(({ name }) => names.includes(name));
  }

  private get host(): Host {
    return this.app!.get<Host>(HOST);
  }

  private async watch(call: Call, run: () => Promise<void>): Promise<void> {
    const { receipt } = await this.app!.get(FallbackService).withReceipt(run);
    call.receipt = receipt;
  }

  private play(name: string, plays: Play, ctx: AttemptContext, args: readonly unknown[]): unknown {
    const step = stepOf(plays, this.calls[name]!++);
    this.contexts.push(ctx);
    return step(ctx, this.clock, args);
  }

  private provider() {
    const { rungs, options, degraded } = this.setup;
    const [{ plays, ...primary }, ...others] = rungs as [Rung, ...Rung[]];
    const play = this.play.bind(this);
    const candidates = others.map(({ plays: script, ...own }): Candidate => ({
      ...own,
      run: (ctx, ...args) => play(own.name, script, ctx, args),
    }));

    @Injectable()
    class Scripted implements Host {
      @FallbackChain(candidates, { name: CHAIN, ...options, primary })
      @Degraded({ ...degraded, mark: degraded?.mark ?? 'receipt' } as DegradedOptions & { mark: 'receipt' })
      run(question?: unknown, @Attempt() ctx?: AttemptContext, @AttemptSignal() _signal?: AbortSignal) {
        return play(primary.name, plays, ctx!, [question]) as Promise<unknown>;
      }
    }
    return { provide: HOST, useClass: Scripted };
  }
}

const HOST = 'ladder under test';
const opened: Ladder[] = [];

export async function open(setup: Setup): Promise<Ladder> {
  const ladder = new Ladder(setup);
  opened.push(ladder);
  return ladder.open();
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((ladder) => ladder.close()));
});

async function outcomeOf(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}
