/** Signals: the attempt's that the candidate reads, and the caller's that nobody reads. */
import { handWithSignal } from '../baselines.mjs';
import { compare } from '../measure.mjs';
import { row } from '../rows.mjs';
import { ANSWER, createFallbackChain, engine, good } from '../subjects.mjs';

const isNode20 = process.versions.node.startsWith('20.');
/** Takes a context or a controller: both have the signal. */
const reader = () => async (owner) => {
  if (owner.signal.aborted) throw owner.signal.reason;
  return ANSWER;
};

export async function measure({ rounds }) {
  const { signal } = new AbortController();
  const plain = createFallbackChain([good(), good()], { timeout: '1s' });
  const caller = createFallbackChain([good(), good()], { timeout: '1s' });
  const { ratio } = await compare(
    {
      hand: handWithSignal([reader(), reader()]),
      engine: engine([reader(), reader()], { timeout: '1s' }),
      plain: () => plain.run(),
      caller: () => caller.run({ signal }),
    },
    { rounds },
  );
  return [
    row(5, 'signal read: engine / hand', ratio('engine', 'hand'), 'hand', isNode20 ? 0.85 : 0.6),
    row(5, "caller's signal unread: engine, with / without", ratio('caller', 'plain'), 'itself', 1.25),
  ];
}
