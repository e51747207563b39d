/** The properties, over random programs. */
import * as fc from 'fast-check';
import { difference, playBoth } from './agreement.js';
import { programs, streamPrograms } from './arbitrary.js';
import { EngineSide } from './engine-side.js';
import { TOGETHER } from './instants.js';
import { INVARIANTS, broken } from './invariants.js';
import { print } from './print.js';
import { closed } from './program.js';
import type { Program } from './program.js';
import { FACES } from './stream-faces.js';
import type { Face } from './stream-faces.js';
import { orderOf } from './virtual-clock.js';

/** Programs whose model allows more than one outcome, and which so proved nothing. */
export const ties = { count: 0 };

function refuse(program: Program, what: string | undefined): void {
  if (what !== undefined) throw new Error(`${print(program)}\n\n${what}`);
}

/** Engine and model agree, and the engine keeps every invariant. */
export const agreement = fc.asyncProperty(programs, async (open) => {
  const program = closed(open);
  const played = await playBoth(program);
  if (played === null) {
    ties.count++;
    return;
  }
  const differs = difference(program, played.model, played.engine.seen);
  refuse(program, differs && `They differ: ${differs}`);
  refuse(program, broken(played.engine));
});

/** What begins at once is always read, and cannot be left before it has answered. */
const eager = (program: Program): Program => ({
  ...program,
  steps: program.steps
    .filter((step) => step.do !== 'leave')
    .map((step) => (step.do === 'call' && step.takes === 0 ? { ...step, takes: 1 } : step)),
});

const faces = fc.constantFrom<Face>(...FACES);

/** The same of streams, by one of their faces. */
export const streams = fc.asyncProperty(streamPrograms, faces, async (open, face) => {
  const program = closed(face === 'events' ? eager(open) : open);
  const played = await playBoth(program, face);
  if (played === null) {
    ties.count++;
    return;
  }
  const differs = difference(program, played.model, played.engine.seen);
  refuse(program, differs && `They differ, by the face of ${face}: ${differs}`);
  refuse(program, broken(played.engine));
});

/** Without choices one thing happens after the other, so that what a single one does can be seen (`no late effect`). */
const choices = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant<number[]>([]) },
  { weight: 3, arbitrary: fc.array(fc.nat(5), { maxLength: 60, size: 'max' }) },
);

const ofEither = fc.oneof({ weight: 2, arbitrary: programs }, { weight: 1, arbitrary: streamPrograms });
/** How long readers who ask wait before they ask again. */
const paces = fc.constantFrom(0, 0, 20, 100);

/** Whatever happens together, in whichever order. */
export const anyOrder = (invariants: typeof INVARIANTS = INVARIANTS) =>
  fc.asyncProperty(ofEither, choices, faces, paces, async (open, chosen, face, pace) => {
    const program = closed(face === 'events' ? eager(open) : open);
    const played = await new EngineSide(program, TOGETHER, orderOf(chosen), face, pace).play();
    const wrong = broken(played, invariants);
    refuse(
      program,
      wrong && `${wrong}\n  by the face of ${face} with pauses of ${pace}, in the order ${JSON.stringify(chosen)}`,
    );
  });
