/** The chain of a program as the engine knows it: scripted candidates, hooks that read values, substitutes. */
import type { CandidateSpec, ChainSpec } from '../../lib/core/chain-spec.js';
import type { CandidateOptions } from '../../lib/core/option-types.js';
import { Places } from '../../lib/stores/places.js';
import type { Shelf } from '../../lib/stores/shelf.js';
import type { DegradedOptions } from '../../lib/substitutes/degraded-options.js';
import { markerOf } from '../../lib/substitutes/mark.js';
import { substitutesOf } from '../../lib/substitutes/substitutes.js';
import type { Times } from './instants.js';
import {
  AND,
  SPOKEN,
  STATIC,
  STATIC_LIST,
  VALUES,
  elementOf,
  endOf,
  errorInOf,
  nameOf,
  scriptOf,
  seenAs,
  thingOf,
} from './program.js';
import type { Does, Last, Program, Rung, Step, SubstitutesOfProgram } from './program.js';
import type { Props, Thing } from './props.js';
import { cutOff, sourceOf } from './stream-sources.js';
import type { StreamNote } from './stream-sources.js';
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
  readonly shelf: Shelf;
  invoked(call: number, place: number): void;
  /** a candidate that was called is about to settle */
  settling(call: number, place: number): void;
  /** the stream of a candidate that was called is opened, closed, or has ended by itself */
  noted(call: number, place: number, what: StreamNote, signal: AbortSignal | undefined): void;
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
      ...streamOptionsOf(program, stage),
    },
    substitutes:
      degraded && substitutesOf(degraded, { chain: CHAIN, marked: [], places: new Places(CHAIN, () => stage.shelf) }),
    marker: degraded && markerOf(degraded),
  };
}

// ---------------------------------------------------------------------------------------------------- candidates

function candidateOf(program: Program, rung: Rung, place: number, stage: Stage): CandidateSpec {
  const { hasLateHooks, heedsSignal, speaksInValues, ...options } = rung;
  if (program.stream !== undefined) {
    const invoke = streamOf(rung, place, stage);
    return { name: nameOf(place), options: { ...options, ...hooksOf(program, rung, place) }, invoke };
  }
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

const isValue = (does: Does, { speaksInValues }: Rung): boolean =>
  VALUES.includes(does) || (speaksInValues === true && SPOKEN.includes(does));

/** What hooks may meet in a call. */
function doneIn(step: Step & { do: 'call' }, rung: Rung, place: number): Does[] {
  return [step.plays[place]!.does, ...scriptOf(step, place).emits.map((emission) => seenAs(emission, rung))];
}

type Hooks = Pick<CandidateOptions<[], Thing>, 'supports' | 'isEmpty' | 'accept' | 'assess'>;

/** Only those that the program needs: without hooks an answer takes another way through the engine. */
function hooksOf({ steps }: Program, rung: Rung, place: number): Hooks {
  const done = new Set(steps.flatMap((step) => (step.do === 'call' ? doneIn(step, rung, place) : [])));
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

/** As a call of a candidate gives a stream. */
function streamOf(rung: Rung, place: number, stage: Stage): CandidateSpec['invoke'] {
  const { props, clock, times } = stage;
  return (attempt) => {
    const { number, step } = attempt.call.host as Host;
    const script = scriptOf(step, place);
    const end = endOf(script, step.plays[place]!);
    stage.invoked(number, place);
    const signal = rung.heedsSignal === true ? attempt.signal : undefined;
    const error = (): unknown => props.error(thingOf(place, end.does, number), end);
    const give = (): unknown => {
      if (script.form === 'throws') throw error() as Error;
      return sourceOf({
        script,
        place,
        end,
        clock,
        times,
        signal,
        error,
        element: (index) => elementAt(step, rung, { place, index, call: number }, props),
        note: (what) => stage.noted(number, place, what, signal),
      });
    };
    if (script.promised === undefined) return give();
    const delay = times.answer(place, script.promised);
    return cutOff(delay === 0 ? Promise.resolve().then(give) : clock.after(delay, give), signal);
  };
}

function elementAt(step: Step & { do: 'call' }, rung: Rung, { place, index, call }: ElementPlace, props: Props): Thing {
  const emission = scriptOf(step, place).emits[index]!;
  const does = seenAs(emission, rung);
  const more = emission.as === 'priming' ? { isPriming: true } : {};
  const element = props.value(elementOf(place, index, call), { ...emission, does }, more);
  if (emission.as === 'in-band') props.putErrorInto(element, props.error(errorInOf(place, index, call), emission));
  return element;
}

interface ElementPlace {
  readonly place: number;
  readonly index: number;
  readonly call: number;
}

function streamOptionsOf({ stream }: Program, { times, props }: Stage) {
  if (stream === undefined) return {};
  const { commitWhen, errorIn, idleTimeout, streamDeadline } = stream;
  return {
    ...(commitWhen === true && { commitWhen: ({ isPriming }: Thing) => isPriming !== true }),
    ...(errorIn === true && { errorIn: (element: Thing) => props.errorIn(element) }),
    ...(idleTimeout !== undefined && { idleTimeout }),
    ...(streamDeadline !== undefined && { streamDeadline: times.streamDeadline(streamDeadline) }),
  };
}

// ---------------------------------------------------------------------------------------------------- substitutes

const STATICS = [{ thing: STATIC }, { thing: STATIC_LIST.slice(STATIC.length + AND.length) }];

function degradedOf({ mark, lastKnownGood, last, on }: SubstitutesOfProgram, stage: Stage): DegradedOptions {
  return {
    mark,
    ...(lastKnownGood !== undefined && { lastKnownGood }),
    ...(on !== undefined && { on }),
    ...(last !== undefined && {
      substitute: last.is === 'static' ? (last.isList === true ? STATICS : STATICS[0]) : () => compute(last, stage),
    }),
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
