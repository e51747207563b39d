/** One call of a stream on the engine's side: who reads it, and what it has seen. */
import type { Receipt } from '../../lib/core/index.js';
import { receiptOf } from '../../lib/core/index.js';
import type { SubstitutesOfProgram } from './program.js';
import type { Props } from './props.js';
import type { StreamEnding } from './spec/call.js';
import { attemptsOf, answerOf, errorTold, read, stopOf } from './told.js';
import type { Told } from './stream-readers.js';

type How = Parameters<Told['end']>[0];

/** An element as it is told; that degraded ones are the candidate's own objects or marked copies of them is free. */
export function elementTold(
  given: unknown,
  call: number,
  mark: SubstitutesOfProgram['mark'] | undefined,
  props: Props,
): string {
  const { value, shows } = read(given, mark);
  const name = props.nameOfValue(value);
  const isFree = name.includes('computed') || (shows === true && name.endsWith(`of call ${call}`));
  return `${isFree ? name.replace(/^copy of /, '') : name}${shows === true ? ' (degraded)' : ''}`;
}

export function endTold(how: How, collected: Receipt | undefined, props: Props): StreamEnding {
  const error = typeof how === 'object' ? how.error : undefined;
  const receipt = collected ?? (typeof how === 'object' ? receiptOf(error) : undefined);
  return {
    ...(how === 'left' && { left: true }),
    ...(typeof how === 'object' && errorTold(error, receipt, props)),
    ...(receipt !== undefined && {
      ...(isServed(receipt) && answerOf(receipt)),
      ...stopOf(receipt),
      attempts: attemptsOf(receipt),
    }),
  };
}

/** By a candidate, or by what stands in for all of them. */
const isServed = ({ servedBy, source }: Receipt): boolean => servedBy !== null || source !== 'candidate';
