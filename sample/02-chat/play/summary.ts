import { isUnmarked } from '../../stage/summary.js';
import type { Figure } from '../../stage/summary.js';
import type { Spoken } from './client.js';

/** Counts what the browsers saw; the day is the same every time, so are these. */
export function figuresOf(answers: readonly Spoken[]): Figure[] {
  const seen = (isIt: (answer: Spoken) => boolean) => answers.filter(isIt).length;
  return [
    { what: 'requests', expected: 11, measured: answers.length },
    { what: 'answered by Sonata in full', expected: 3, measured: seen((answer) => isWhole(answer, 'sonata')) },
    { what: 'answered by Orbit in full', expected: 4, measured: seen((answer) => isWhole(answer, 'orbit')) },
    { what: 'ended in the middle', expected: 2, measured: seen(({ brokeOff }) => brokeOff) },
    { what: 'static substitute', expected: 1, measured: seen(({ source }) => source === 'static') },
    { what: 'nobody answered (503)', expected: 1, measured: seen(({ status }) => status === 503) },
    { what: 'degraded without the header', expected: 0, measured: seen(isUnmarked) },
  ];
}

function isWhole({ by, brokeOff }: Spoken, model: string): boolean {
  return by === model && !brokeOff;
}
