/** A program: a chain, and what happens to it. The same one is played on the engine and on the model. */
import type { FailureKind } from '../../lib/core/index.js';

/** What a candidate does when it is called; `passes` says no in `supports`, so it is not called at all. */
export type Does =
  | 'ok'
  | 'thin'
  | 'empty'
  | 'rejected'
  | 'transient'
  | 'timeout'
  | 'rate-limited'
  | 'denied'
  | 'unsupported'
  | 'terminal'
  | 'budget'
  | 'unknown'
  | 'never'
  | 'passes';

/** One candidate's part in one call. */
export interface Play {
  readonly does: Does;
  /** whole ms until it answers; at 0 it answers at once */
  readonly after: number;
  /** ms, of `transient` and `rate-limited` */
  readonly retryAfter?: number;
}

/** How a candidate gives its stream; some give none, and with `throws` the call of it fails. */
export type Form = 'generator' | 'iterator' | 'iterable' | 'observable' | 'readable' | 'nothing' | 'throws';

/** An element: what hooks make of it. `commitWhen` passes over priming ones, `errorIn` reads the error of others. */
export interface Emission extends Play {
  readonly as: 'element' | 'priming' | 'in-band';
}

/** What a candidate of a stream gives before its part ends as its play says: `ok` is a clean end, `never` a stall. */
export interface Script {
  readonly form: Form;
  /** it comes in a promise that takes so many ms */
  readonly promised?: number;
  /** each so many ms after what was before it */
  readonly emits: readonly Emission[];
}

/** Where a program is about streams. */
export interface StreamOptions {
  readonly commitWhen?: boolean;
  readonly errorIn?: boolean;
  readonly idleTimeout?: number;
  readonly streamDeadline?: number;
}

export interface Rung {
  readonly timeout?: number;
  readonly cost?: number;
  readonly onEmpty?: 'accept' | 'continue' | 'stop';
  readonly degraded?: boolean;
  readonly breaker?: {
    readonly threshold?: number;
    readonly cooldown?: number;
    readonly factor?: number;
    readonly maxCooldown?: number;
  };
  readonly whenOpen?: 'defer' | 'skip' | 'ignore';
  readonly maxRetryAfter?: number;
  readonly on?: readonly FailureKind[];
  /** how it is written, which must make no difference: hooks and answers that come in promises */
  readonly hasLateHooks?: boolean;
  /** fails as soon as its signal aborts, so that nothing of it comes late */
  readonly heedsSignal?: boolean;
  /** says what went wrong in values that `assess` reads, where others throw */
  readonly speaksInValues?: boolean;
}

export const VALUES: readonly Does[] = ['ok', 'thin', 'empty', 'rejected'];

/** Kinds that `speaksInValues` is about. */
export const SPOKEN: readonly Does[] = ['transient', 'timeout', 'rate-limited', 'denied', 'unsupported'];

/** The last substitute: a value, or a function that gives one, gives what has no properties, or fails. */
export type Last =
  | { readonly is: 'static'; /** of a stream: two elements */ readonly isList?: boolean }
  | { readonly is: 'computed'; readonly gives: 'value' | 'primitive' | 'error'; readonly after: number };

export interface SubstitutesOfProgram {
  readonly mark: 'receipt' | 'property' | 'served';
  readonly lastKnownGood?: { readonly maxAge: number; readonly refreshAfter?: number; readonly collect?: number };
  readonly last?: Last;
  readonly on?: readonly FailureKind[];
}

/** When a call starts: in a slot of its own, or at a boundary, on it or just before, if that lies ahead. */
export interface Boundary {
  readonly of: 'reopening' | 'lease' | 'grace' | 'age' | 'refresh';
  /** the candidate's place, or the question's */
  readonly place: number;
  readonly isEarly: boolean;
}

export type Step =
  | {
      readonly do: 'call';
      readonly question: number;
      readonly plays: readonly Play[];
      /** of streams, beside the plays */
      readonly scripts?: readonly Script[];
      /** the consumer of a stream leaves after so many elements; at 0 it never begins */
      readonly takes?: number;
      readonly isAborted: boolean;
      /** the substitutes are switched off while it runs */
      readonly isSwitchedOff: boolean;
      readonly at?: Boundary;
    }
  | { readonly do: 'abort'; /** how many calls back */ readonly back: number }
  | { readonly do: 'leave'; /** the consumer of a stream, at once */ readonly back: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'jump'; /** the wall clock alone */ readonly ms: number }
  | { readonly do: 'isolate' | 'restore'; readonly place: number }
  | { readonly do: 'reset' };

export interface Program {
  readonly rungs: readonly Rung[];
  readonly deadline?: number;
  readonly reserve?: number;
  readonly unknown?: 'transient' | 'terminal';
  readonly rethrow?: 'aggregate' | 'last';
  readonly substitutes?: SubstitutesOfProgram;
  readonly stream?: StreamOptions;
  /** somebody listens: every call leaves its receipt, and events are told */
  readonly isWatched: boolean;
  readonly steps: readonly Step[];
}

/** Values, errors and reasons by a name that both sides give them. */
export const nameOf = (place: number): string => 'abcd'[place]!;
export const thingOf = (place: number, does: string, call: number): string =>
  `${nameOf(place)}'s ${does} of call ${call}`;
export const elementOf = (place: number, index: number, call: number): string =>
  thingOf(place, `element ${index}`, call);
/** The error that `errorIn` reads in it. */
export const errorInOf = (place: number, index: number, call: number): string =>
  `the error in ${elementOf(place, index, call)}`;
/** Static substitutes, and what joins the names of elements. */
export const AND = ' + ';
export const STATIC = 'the static substitute';
export const STATIC_LIST = `${STATIC}${AND}the second static substitute`;
export const reasonOf = (call: number): string => `the reason of call ${call}`;

/** The part of a candidate in a call of a stream. */
export function scriptOf({ scripts }: Step & { do: 'call' }, place: number): Script {
  return scripts?.[place] ?? { form: 'generator', emits: [] };
}

/** How a candidate's stream ends: sync iterables cannot stall. */
export const endOf = ({ form }: Script, play: Play): Play =>
  form === 'iterable' && play.does === 'never' ? { ...play, does: 'ok' } : play;

/** Sync iterables have no time. */
export const delayOf = ({ form }: Script, { after }: Play): number => (form === 'iterable' ? 0 : after);

/** What an element is to the hooks. */
export function seenAs({ as, does }: Emission, { speaksInValues }: Rung): Does {
  const isSpoken = speaksInValues === true && SPOKEN.includes(does);
  return as === 'element' && (VALUES.includes(does) || isSpoken) ? does : 'ok';
}

const HOURS = 7_200_000;

/** The program, and a last call when all has settled and cooled: whoever can be called then is called. */
export function closed(program: Program): Program {
  const plays = program.rungs.map((): Play => ({ does: 'transient', after: 0 }));
  const call = { do: 'call' as const, question: 0, plays, isAborted: false, isSwitchedOff: false };
  return { ...program, steps: [...program.steps, { do: 'advance', ms: HOURS }, call] };
}
