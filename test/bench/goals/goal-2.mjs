/** A limit of one second that nobody reaches, the signal unread. In the full form also against the npm peers (goal 3). */
import { hand, ladder } from '../baselines.mjs';
import { compare } from '../measure.mjs';
import { peers } from '../peers.mjs';
import { row } from '../rows.mjs';
import { createFallbackChain, decorated, engine, good, QUERY } from '../subjects.mjs';

const OPTIONS = { timeout: '1s' };
const PEERS = { opossum: 2, cockatiel: 20, 'nestjs-resilience': 20 };

export async function measure({ rounds, form }) {
  const others = form === 'full' ? peers() : null;
  const chain = createFallbackChain([good(), good()], OPTIONS);
  const { ratio, ns } = await compare(
    {
      ladder: ladder([good(), good()]),
      hand: hand([good(), good()]),
      engine: engine([good(), good()], OPTIONS),
      'run({ args })': () => chain.run({ args: [QUERY] }),
      decorated: await decorated([good(), good()], OPTIONS),
      ...others?.subjects,
    },
    { rounds },
  );
  others?.close();
  return [
    row(2, 'timeout: hand', `${Math.round(ns('hand'))} ns`, 'info'),
    row(2, 'timeout: engine / hand', ratio('engine', 'hand'), 'hand', 0.6),
    row(2, 'timeout: engine, run({ args }) / hand', `${ratio('run({ args })', 'hand').toFixed(2)}x`, 'info'),
    row(2, 'timeout: decorated / hand', ratio('decorated', 'hand'), 'hand', 0.9),
    row(2, 'timeout: engine / try-catch', ratio('engine', 'ladder'), 'ladder', 3.5),
    ...Object.entries(PEERS)
      .filter(() => form === 'full')
      .map(([name, limit]) =>
        others === null
          ? row(3, `timeout: ${name} / decorated`, 'SKIPPED: run npm run bench:peers', 'info')
          : row(3, `timeout: ${name} / decorated`, ratio(name, 'decorated'), 'peer', limit, { atLeast: true }),
      ),
  ];
}
