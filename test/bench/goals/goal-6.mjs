/** Failures: the first fails and the second answers, and what each further failure costs. */
import { hand, ladder } from '../baselines.mjs';
import { compare } from '../measure.mjs';
import { row } from '../rows.mjs';
import { STURDY, bad, engine, fresh, many } from '../subjects.mjs';

const MORE = 4;
const failing = (count) => [...many(count, bad), fresh()];
const TIMED = { timeout: '1s', ...STURDY };

export async function measure({ rounds }) {
  const { ratio, perRound } = await compare(
    {
      ladder: ladder(failing(1)),
      engine: engine(failing(1), STURDY),
      'timed hand': hand(failing(1), STURDY),
      'timed engine': engine(failing(1), TIMED),
      'longer hand': hand(failing(1 + MORE), STURDY),
      'longer engine': engine(failing(1 + MORE), TIMED),
    },
    { rounds },
  );
  const more = perRound((at) => (at('longer engine') - at('timed engine')) / (at('longer hand') - at('timed hand')));
  return [
    row(6, 'first fails, timeout: engine / hand', ratio('timed engine', 'timed hand'), 'hand', 0.6),
    row(6, 'first fails, no timeout: engine / try-catch', ratio('engine', 'ladder'), 'ladder', 2),
    row(6, 'one more failed candidate: engine / hand', more, 'hand', 0.5),
  ];
}
