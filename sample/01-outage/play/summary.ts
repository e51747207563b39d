import type { Answer } from '../../stage/answer.js';
import { isUnmarked } from '../../stage/summary.js';
import type { Figure } from '../../stage/summary.js';
import type { World } from '../../stage/world.js';

/** Counts what the clients saw and what the candidates were asked; the outage is the same every time, so are these. */
export function figuresOf(answers: readonly Answer[], world: World<unknown>): Figure[] {
  const seen = (isIt: (answer: Answer) => boolean) => answers.filter(isIt).length;
  const model = world.candidate('model').counts;
  const atlas = world.candidate('atlas').counts;
  return [
    { what: 'requests', expected: 18, measured: answers.length },
    { what: 'answered in full', expected: 6, measured: seen(({ by, degraded }) => by !== undefined && !degraded) },
    { what: 'last known good', expected: 7, measured: seen(({ source }) => source === 'last-known-good') },
    { what: 'static substitute', expected: 1, measured: seen(({ source }) => source === 'static') },
    { what: 'thin', expected: 1, measured: seen(({ reason }) => reason === 'thin') },
    { what: 'not found (404)', expected: 1, measured: seen(({ status }) => status === 404) },
    { what: 'nobody answered (503)', expected: 2, measured: seen(({ status }) => status === 503) },
    { what: 'degraded without the header', expected: 0, measured: seen(isUnmarked) },
    { what: 'calls the model answered', expected: 2, measured: model.ok ?? 0 },
    { what: 'calls the model failed', expected: 6, measured: (model.timeout ?? 0) + (model.transient ?? 0) },
    { what: 'calls the model was spared', expected: 2, measured: model.cooling ?? 0 },
    { what: 'calls Atlas was spared', expected: 1, measured: atlas.cooling ?? 0 },
  ];
}
