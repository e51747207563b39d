/** The chain of a program as the engine knows it: scripted candidates, hooks that read values, substitutes. */
import type { CandidateSpec, ChainSpec } from '../../lib/core/chain-spec.js';
import type { CandidateOptions } from '../../lib/core/option-types.js';
import type { DegradedOptions } from '../../lib/substitutes/degraded-options.js';
import { markerOf } from '../../lib/substitutes/mark.js';
import type { Values } from '../../lib/substitutes/last-known-good.js';
import { substitutesOf } from '../../lib/substitutes/substitutes.js';
import type { Times } from './instants.js';
import { SPOKEN, VALUES, nameOf, thingOf } from './program.js';
import type { Does, Last, Program, Rung, Step, SubstitutesOfProgram } from './program.js';
import type { Props, Thing } from './props.js';
import type { VirtualClock } from './virtual-clock.js';

/** What candidates, hooks and substitutes find as `this`: the call. */
export interface Host {
  readonly number: number;
  readonly step: Step & { do: 'call' };
}

/** What they play on. */
export interface Stage {
  readonly clock: VirtualClock;
  readonly times: Times;
  readonly props: Props;
  readonly values: Values;
  invoked(call: number, place: number): void;
  /** a candidate that was called is about to settle */
  settling(call: number, place: number): void;
}

const CHAIN = 'modelled';

export function specOf(program: Program, stage: Stage): ChainSpec {
  const { deadline, reserve, unknown, rethrow, substitutes } = program;
  const degraded = substitutes === undefined ? null : degradedOf(substitutes, stage);
  return {
    name: CHAIN,
    where: CHAIN,
    candidates: program.rungs.map((rung, place) => candidateOf(program, rung, place, stage)),
    options: {
      ...(deadline !== undefined && { deadline: stage.times.deadline(deadline) }),
      ...(reserve !== undefined && { reserve }),
      ...(unknown !== undefined && { unknown }),
      ...(rethrow !== undefined && { rethrow }),
    },
    substitutes: degraded && substitutesOf(degraded, { chain: CHAIN, marked: [], values: stage.values }),
    marker: degraded && markerOf(degraded),
  };
}

// ---------------------------------------------------------------------------------------------------- candidates

function candidateOf(program: Program, rung: Rung, place: number, stage: Stage): CandidateSpec {
  const { hasLateHooks, heedsSignal, speaksInValues, ...options } = rung;
  return {
    name: nameOf(place),
    options: { ...options, ...hooksOf(program, rung, place) },
    invoke: (attempt) => {
      const { number, step } = attempt.call.host as Host;
      const play = step.plays[place]!;
      stage.invoked(number, place);
      const give = (): unknown => {
        stage.settling(number, place);
        const thing = thingOf(place, play.does, number);
        if (isValue(play.does, rung)) return stage.props.value(thing, play);
        throw stage.props.error(thing, play) as Error;
      };
      const signal = heedsSignal === true ? attempt.signal : undefined;
      if (play.does === 'never') return cutOff(new Promise(() => {}), signal);
      if (play.after > 0) return cutOff(stage.clock.after(stage.times.answer(place, play.after), give), signal);
      return hasLateHooks === true ? Promise.resolve().then(give) : give();
    },
  };
}

/** Candidates that heed their signal fail at once when it aborts. */
function cutOff(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return work;
  const aborted = new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  return Promise.race([work, aborted]);
}

const isValue = (does: Does, { speaksInValues }: Rung): boolean =>
  VALUES.includes(does) || (speaksInValues === true && SPOKEN.includes(does));

type Hooks = Pick<CandidateOptions<[], Thing>, 'supports' | 'isEmpty' | 'accept' | 'assess'>;

/** Only those that the program needs: without hooks an answer takes another way through the engine. */
function hooksOf({ steps }: Program, rung: Rung, place: number): Hooks {
  const done = new Set(steps.flatMap((step) => (step.do === 'call' ? [step.plays[place]!.does] : [])));
  const say = <T>(said: T): T | PromiseLike<T> => (rung.hasLateHooks === true ? Promise.resolve(said) : said);
  const says = ({ does, retryAfter }: Thing) => {
    if (does === 'thin') return 'thin' as const;
    if (!SPOKEN.includes(does)) return undefined;
    return { kind: does as 'transient', ...(retryAfter !== undefined && { retryAfter }) };
  };
  return {
    ...(done.has('passes') && {
      supports(this: unknown) {
        return say((this as Host).step.plays[place]!.does !== 'passes');
      },
    }),
    ...(done.has('empty') && { isEmpty: ({ does }) => say(does === 'empty') }),
    ...(done.has('rejected') && { accept: ({ does }) => say(does !== 'rejected') }),
    ...((done.has('thin') || rung.speaksInValues === true) && { assess: (value) => say(says(value)) }),
  };
}

// ---------------------------------------------------------------------------------------------------- substitutes

const STATIC = { thing: 'the static substitute' };

function degradedOf({ mark, lastKnownGood, last, on }: SubstitutesOfProgram, stage: Stage): DegradedOptions {
  return {
    mark,
    ...(lastKnownGood !== undefined && { lastKnownGood }),
    ...(on !== undefined && { on }),
    ...(last !== undefined && { substitute: last.is === 'static' ? STATIC : () => compute(last, stage) }),
    enabled(this: unknown) {
      return !(this as Host).step.isSwitchedOff;
    },
  };
}

function compute({ gives, after }: Last & { is: 'computed' }, { clock, times }: Stage): unknown {
  const give = (): unknown => {
    if (gives === 'error') throw new Error('no substitute');
    return gives === 'primitive' ? 'a computed primitive' : { thing: 'a computed value' };
  };
  return after === 0 ? give() : clock.after(times.substitute(after), give);
}
