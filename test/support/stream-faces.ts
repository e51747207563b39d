/** One stream chain on each face that it can have: plain functions, a decorated async iterable, a decorated Observable. */
import { afterEach } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { createFallbackChain } from '../../lib/core/index.js';
import { Attempt, AttemptSignal, Degraded, FallbackChain } from '../../lib/index.js';
import type {
  AttemptContext,
  AttemptRecord,
  CandidateHealth,
  CandidateOptions,
  Chain,
  ChainOptions,
  DegradedOptions,
  FallbackEvent,
} from '../../lib/index.js';
import { closeApps, startApp } from './nest-app.js';
import type { StartedApp } from './nest-app.js';
import { Puller, Subscribed } from './stream-consumers.js';
import type { Reader } from './stream-consumers.js';
import { Stage } from './stream-sources.js';
import type { Form, Plays } from './stream-sources.js';
import { TestClock, settle } from './test-clock.js';

export const FACES = ['plain functions', 'async iterable', 'Observable'] as const;
export type Face = (typeof FACES)[number];
/** The faces that a decorated method can have. */
export const DECORATED = ['async iterable', 'Observable'] as const;

export interface StreamRung extends CandidateOptions {
  readonly name: string;
  readonly plays: Plays;
  /** default: that of the setup */
  readonly form?: Form;
}

export interface StreamSetup {
  readonly candidates: readonly StreamRung[];
  readonly options?: ChainOptions;
  /** decorated faces only; its mark is `'receipt'` unless another stands here */
  readonly degraded?: DegradedOptions;
  /** how scripts are given out; default `iterable` */
  readonly form?: Form;
}

export interface Reading {
  /** leaves after so many elements */
  readonly take?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const STREAM = 'stream';

/** A stream chain under test. */
export abstract class Streams {
  readonly clock = new TestClock();
  readonly stage = new Stage(this.clock);

  constructor(protected readonly setup: StreamSetup) {}

  abstract readonly attempts: string[];
  abstract readonly health: readonly CandidateHealth[];
  /** What the method or the chain gives; nothing may run yet. */
  abstract stream(signal?: AbortSignal): unknown;
  protected abstract within(reader: Reader): void;
  /** everything that observers heard; none in `./core` */
  readonly events: FallbackEvent[] = [];
  protected isObservable = false;

  /** Starts to read; it goes on while the clock is moved. */
  begin({ take = Infinity, signal }: Reading = {}): Reader {
    const stream = this.stream(signal);
    const reader = this.isObservable
      ? new Subscribed(stream as Observable<unknown>, this.clock, take)
      : new Puller(stream as AsyncIterable<unknown>, this.clock, take);
    this.within(reader);
    return reader;
  }

  /** Reads to the end, which may take this long on the clock. */
  async read(takes = 0, reading: Reading = {}): Promise<Reader> {
    const reader = this.begin(reading);
    await this.clock.advance(takes);
    return reader;
  }

  /** `closed 0`, `open 1`: state and consecutive failures of each candidate. */
  get circuits(): Record<string, string> {
    return Object.fromEntries(
      this.health.map(({ candidate, state, consecutiveFailures }) => [candidate, `${state} ${consecutiveFailures}`]),
    );
  }

  /** How often each outcome was counted for a candidate. */
  counts(name: string): CandidateHealth['counts'] {
    return this.health.find(({ candidate }) => candidate === name)!.counts;
  }

  protected runOf({ name, plays, form }: StreamRung) {
    return (ctx: AttemptContext): any => this.stage.run(name, plays, form ?? this.setup.form ?? 'iterable', ctx);
  }

  protected candidates(rungs: readonly StreamRung[]) {
    return rungs.map((rung) => {
      const { plays: _plays, form: _form, ...own } = rung;
      return { ...own, run: this.runOf(rung) };
    });
  }
}

class PlainStreams extends Streams {
  readonly records: AttemptRecord[] = [];
  private readonly chain: Chain<unknown>;

  constructor(setup: StreamSetup) {
    super(setup);
    this.chain = createFallbackChain<unknown>(this.candidates(setup.candidates), {
      name: STREAM,
      ...setup.options,
      clock: this.clock,
      onAttempt: (record) => void this.records.push(record),
    });
  }

  get attempts(): string[] {
    return this.records.map(({ candidate, kind }) => `${candidate}:${kind}`);
  }

  get health(): readonly CandidateHealth[] {
    return this.chain.health();
  }

  stream(signal?: AbortSignal): unknown {
    return this.chain.stream(signal === undefined ? {} : { signal });
  }

  protected within(reader: Reader): void {
    reader.begin();
  }
}

interface Host {
  run(ctx?: AttemptContext, signal?: AbortSignal): unknown;
}

export class DecoratedStreams extends Streams {
  started!: StartedApp;
  private host!: Host;

  constructor(
    setup: StreamSetup,
    private readonly kind: 'observable' | 'async-iterable',
  ) {
    super(setup);
    this.isObservable = kind === 'observable';
  }

  async open(): Promise<this> {
    const Scripted = this.provider();
    const observers = [(event: FallbackEvent): void => void this.events.push(event)];
    this.started = await startApp({ providers: [Scripted], options: { clock: this.clock, logger: false, observers } });
    this.host = this.started.app.get(Scripted);
    opened.push(this);
    return this;
  }

  get attempts(): string[] {
    return this.events
      .filter(({ name }) => name === 'attempt.settled' || name === 'attempt.skipped')
      .map(({ candidate, kind, reason }) => `${candidate}:${kind ?? `skipped(${String(reason)})`}`);
  }

  get health(): readonly CandidateHealth[] {
    return this.started.health.snapshot(STREAM).candidates;
  }

  stream(signal?: AbortSignal): unknown {
    return this.host.run(undefined, signal);
  }

  protected within(reader: Reader): void {
    const reading = this.started.fallback.withReceipt(() => {
      reader.begin();
      return reader.ended;
    });
    void reading.then(({ receipt }) => (reader.receipt = receipt));
  }

  private provider() {
    const { candidates, options, degraded } = this.setup;
    const [first, ...others] = candidates as [StreamRung, ...StreamRung[]];
    const { plays: _plays, form: _form, ...primary } = first;
    const run = this.runOf(first);
    const marked = { ...degraded, mark: degraded?.mark ?? 'receipt' } as DegradedOptions & { mark: 'receipt' };
    const ladder = { name: STREAM, ...options, stream: this.kind, primary };

    @Injectable()
    class Scripted implements Host {
      @FallbackChain(this.candidates(others), ladder)
      @(Degraded(marked) as MethodDecorator)
      run(@Attempt() ctx?: AttemptContext, @AttemptSignal() _signal?: AbortSignal): AsyncIterable<unknown> {
        return run(ctx!) as AsyncIterable<unknown>;
      }
    }
    return Scripted;
  }
}

export async function openStreams(face: Face, setup: StreamSetup): Promise<Streams> {
  if (face === 'plain functions') return new PlainStreams(setup);
  return openDecorated(face, setup);
}

export function openDecorated(face: (typeof DECORATED)[number], setup: StreamSetup): Promise<DecoratedStreams> {
  return new DecoratedStreams(setup, face === 'Observable' ? 'observable' : 'async-iterable').open();
}

/** What calls in flight get at shutdown, ms. */
const DRAIN = 5_000;
const opened: DecoratedStreams[] = [];

afterEach(async () => {
  const clocks = opened.splice(0).map(({ clock }) => clock);
  const state = { isClosed: false };
  const closing = closeApps().then(() => (state.isClosed = true));
  // They close one after the other, each when its own clock has let it.
  while (!state.isClosed) {
    for (const clock of clocks) await clock.advance(DRAIN);
    await settle();
  }
  await closing;
});
