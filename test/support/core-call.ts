/** Chains of plain functions in tests: what `onAttempt` hears, how a call ends, and the engine with chosen chance. */
import { Call } from '../../lib/core/call.js';
import type { CallInputs } from '../../lib/core/call.js';
import { compileChain } from '../../lib/core/compile.js';
import { Engine } from '../../lib/core/engine.js';
import type { CandidateOptions, ChainOptions } from '../../lib/core/option-types.js';
import { run } from '../../lib/core/run.js';
import type { AttemptContext, AttemptRecord, FallbackEvent } from '../../lib/core/types.js';
import { TestClock } from './test-clock.js';

type Ending = { readonly value: unknown } | { readonly error: unknown };

/** How a promise ends, in hand: look at it after the clock has been moved. */
export class Ended {
  outcome: Ending | undefined;
  /** virtual ms */
  took: number | undefined;

  constructor(promise: PromiseLike<unknown>, clock: TestClock) {
    const startedAt = clock.now();
    const end = (outcome: Ending): void => {
      this.outcome = outcome;
      this.took = clock.now() - startedAt;
    };
    void promise.then(
      (value) => end({ value }),
      (error: unknown) => end({ error }),
    );
  }

  get value(): unknown {
    if (this.outcome === undefined || 'error' in this.outcome) throw new Error('no value', { cause: this.outcome });
    return this.outcome.value;
  }

  get error(): unknown {
    if (this.outcome === undefined || 'value' in this.outcome) throw new Error('no error', { cause: this.outcome });
    return this.outcome.error;
  }
}

/** Something that can be awaited and is no promise. */
export function thenable<T>(then: (resolve: (value: T) => void) => void): PromiseLike<T> {
  const name = 'then' as const;
  return Object.fromEntries([[name, then]]) as unknown as PromiseLike<T>;
}

/** What `onAttempt` heard: `a:transient`, the records, the raw values and errors. */
export class Heard {
  readonly records: AttemptRecord[] = [];
  readonly raws: { value?: unknown; error?: unknown }[] = [];
  readonly onAttempt = (record: AttemptRecord, raw: { value?: unknown; error?: unknown }): void => {
    this.records.push(record);
    this.raws.push(raw);
  };

  get kinds(): string[] {
    return this.records.map(({ candidate, kind }) => `${candidate}:${kind}`);
  }
}

export type Scripted = CandidateOptions & { readonly name: string; readonly run: (ctx: AttemptContext) => unknown };

/** The engine itself, with events and with a `random` of the test's own. */
export class Bench {
  readonly clock = new TestClock();
  readonly events: FallbackEvent[] = [];
  private readonly plan;

  constructor(candidates: readonly Scripted[], options: ChainOptions = {}, random: () => number = () => 0.5) {
    const engine = new Engine({ clock: this.clock, random, observers: [(event) => void this.events.push(event)] });
    const spec = {
      name: 'bench',
      where: 'bench',
      candidates: candidates.map(({ name, run: script, ...own }) => ({
        name,
        options: own,
        invoke: ({ context }: { context: AttemptContext }) => script(context),
      })),
      options,
      substitutes: null,
      marker: null,
    };
    this.plan = compileChain(spec, engine, {});
  }

  /** Starts a call. */
  begin(inputs: CallInputs = {}): Ended {
    return new Ended(run(new Call(this.plan, undefined, [], inputs)), this.clock);
  }

  /** Every settled attempt, as events told it. */
  get settled(): FallbackEvent[] {
    return this.events.filter(({ name }) => name === 'attempt.settled');
  }

  /** `a:transient` of every settled attempt and `a:skipped(cooling)` of every skip, in order. */
  get attempts(): string[] {
    return this.events
      .filter(({ name }) => name === 'attempt.settled' || name === 'attempt.skipped')
      .map(({ candidate, kind, reason }) => `${candidate}:${kind ?? `skipped(${String(reason)})`}`);
  }
}
