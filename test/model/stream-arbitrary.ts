/** Random parts of streams: what their candidates give, and when, and who reads them how long. */
import * as fc from 'fast-check';
import { maybe, oneOf, record } from './draw.js';
import type { Does, Emission, Form, Play, Script, StreamOptions } from './program.js';

export const options = record<StreamOptions>({
  commitWhen: maybe(fc.constant(true), 6),
  errorIn: maybe(fc.constant(true), 6),
  idleTimeout: maybe(fc.constantFrom(30, 100), 3),
  streamDeadline: maybe(fc.constantFrom(70, 200, 2_000), 2),
});

const pause = oneOf([8, 0], [4, 10], [2, 20], [2, 40], [2, 60], [1, 400]);
const advice = oneOf<number | undefined>([4, undefined], [1, 0], [1, 400], [1, 9_000]);

/** Only some kinds speak of a delay. */
const advised = <T extends Play>(plays: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.tuple(plays, advice).map(([play, retryAfter]) => {
    const isAdvised = retryAfter !== undefined && (play.does === 'transient' || play.does === 'rate-limited');
    return isAdvised ? { ...play, retryAfter } : play;
  });

const emission = (as: Emission['as'], ...does: readonly (readonly [number, Does])[]): fc.Arbitrary<Emission> =>
  advised(fc.record({ as: fc.constant(as), does: oneOf(...does), after: pause }));

const emissions = fc.oneof(
  { weight: 8, arbitrary: emission('element', [9, 'ok'], [2, 'rejected'], [1, 'thin'], [1, 'empty']) },
  { weight: 1, arbitrary: emission('element', [1, 'transient'], [1, 'rate-limited'], [1, 'denied']) },
  { weight: 3, arbitrary: emission('priming', [1, 'ok']) },
  {
    weight: 2,
    arbitrary: emission(
      'in-band',
      [3, 'transient'],
      [2, 'rate-limited'],
      [1, 'denied'],
      [1, 'terminal'],
      [1, 'unknown'],
    ),
  },
);

const ends = oneOf<Does>(
  [9, 'ok'],
  [8, 'transient'],
  [1, 'timeout'],
  [2, 'rate-limited'],
  [1, 'denied'],
  [1, 'unsupported'],
  [1, 'terminal'],
  [1, 'budget'],
  [1, 'unknown'],
  [3, 'never'],
  [1, 'passes'],
);

/** How a stream ends. */
export const end: fc.Arbitrary<Play> = advised(fc.record({ does: ends, after: pause }));

export const script: fc.Arbitrary<Script> = record<Script>({
  form: oneOf<Form>(
    [4, 'generator'],
    [3, 'observable'],
    [2, 'iterator'],
    [2, 'readable'],
    [1, 'iterable'],
    [1, 'throws'],
    [1, 'nothing'],
  ),
  promised: maybe(fc.constantFrom(0, 10, 60), 2),
  emits: fc.array(emissions, { maxLength: 4 }),
}).map((drawn) => {
  // What a promise gives that is no stream is an element of an Observable chain.
  const { promised: _promised, ...now } = drawn;
  return drawn.form === 'nothing' ? now : drawn;
});

/** Most read all. */
export const takes = oneOf<number | undefined>([8, undefined], [2, 1], [2, 2], [1, 3], [1, 0]);
