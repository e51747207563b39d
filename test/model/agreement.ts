/** Whether the engine and the model have seen the same, and where they differ first. */
import { isDeepStrictEqual } from 'node:util';
import { EngineSide } from './engine-side.js';
import { DISTINCT } from './instants.js';
import type { Played } from './log.js';
import { ModelSide } from './model-side.js';
import { Tie } from './spec/world.js';
import type { Program } from './program.js';
import type { Seen } from './seen.js';
import type { Face } from './stream-faces.js';
import type { Ending, StreamEnding } from './spec/call.js';
import { IN_ORDER } from './virtual-clock.js';

/** Both sides of one program; null where the model allows more than one outcome. */
export async function playBoth(program: Program, face?: Face): Promise<{ model: Seen; engine: Played } | null> {
  const modelSide = new ModelSide(program, face);
  let model: Seen;
  try {
    model = modelSide.play();
  } catch (error) {
    if (error instanceof Tie) return null;
    throw error;
  }
  return { model, engine: await new EngineSide(program, DISTINCT, IN_ORDER, face).play(modelSide.instants) };
}

/** What differs, for people; undefined if nothing does. */
export function difference(program: Program, model: Seen, engine: Seen): string | undefined {
  const found: [what: string, model: unknown, engine: unknown][] = [
    ...model.calls.map((call, number): [string, unknown, unknown] => {
      const told = engine.calls[number] ?? null;
      if (call === null || told === null) return [`call ${number}`, call, told];
      const isReadable = mustBeReadable(program, call.ending) || 'attempts' in told.ending;
      return [`call ${number}`, isReadable ? call : { ...call, ending: shown(call.ending) }, told];
    }),
    ...model.streams.map((stream, number): [string, unknown, unknown] => {
      const told = engine.streams[number] ?? null;
      if (stream === null || told === null) return [`call ${number}`, stream, told];
      const isReadable = program.isWatched || stream.ending.error !== undefined;
      return [`call ${number}`, isReadable ? stream : { ...stream, ending: shownOf(stream.ending) }, told];
    }),
    ...model.looks.map((look, place): [string, unknown, unknown] => [
      `after step ${place + 1}`,
      look,
      engine.looks[place],
    ]),
    ['invoked', anyCloseFirst(model.invoked), anyCloseFirst(engine.invoked)],
  ];
  const first = found.find(([, one, other]) => !isDeepStrictEqual(one, other));
  if (first === undefined) return undefined;
  const [what, one, other] = first;
  return `${what}\n  by the contract: ${JSON.stringify(one)}\n  by the engine:   ${JSON.stringify(other)}`;
}

/** Where nobody listens, the receipt of a full answer of the primary, or of a primitive, is not kept. */
function mustBeReadable({ isWatched }: Program, ending: Ending): boolean {
  if (isWatched || 'error' in ending) return true;
  return ending.value !== 'a computed primitive' && (ending.degraded || ending.servedBy !== 'a');
}

/** What can be seen of an answer without its receipt. */
function shown(ending: Ending): Partial<Ending> {
  if ('error' in ending) return ending;
  const { value, shows } = ending;
  return { value, ...(shows !== undefined && { shows }) };
}

/** What can be seen of the end of a stream without its receipt. */
function shownOf({ left }: StreamEnding): StreamEnding {
  return left === true ? { left } : {};
}

/** Of streams that are closed at the same instant, as one that was held and another, either may come first. */
function anyCloseFirst(notes: readonly string[]): string[] {
  const instant = (note: string): string => note.slice(note.lastIndexOf(' '));
  const sorted = [...notes];
  for (let end = 1; end < sorted.length; end++) {
    for (let at = end; at > 0; at--) {
      const [one, other] = [sorted[at - 1]!, sorted[at]!];
      const areFree = one.startsWith('closed') && other.startsWith('closed') && instant(one) === instant(other);
      if (!areFree || one < other) break;
      [sorted[at - 1], sorted[at]] = [other, one];
    }
  }
  return sorted;
}
