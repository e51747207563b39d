/** Many candidates, and many chains. */
import { activeTimers, compare, liveBytes, tick } from '../measure.mjs';
import { row } from '../rows.mjs';
import { ANSWER, createFallbackChain, engine, good, many } from '../subjects.mjs';

const CHAINS = 10_000;
const TIMEOUTS = [61_000, 62_000, 63_000];

export async function measure({ rounds }) {
  const options = { timeout: '1s' };
  const sizes = await compare(
    { one: engine(many(1, good), options), hundred: engine(many(100, good), options) },
    { rounds },
  );

  let gate = Promise.resolve(ANSWER);
  const first = () => gate;
  const second = () => gate;
  const chainOf = (place) =>
    createFallbackChain([first, second], { name: `chain${place}`, timeout: TIMEOUTS[place % TIMEOUTS.length] });
  chainOf(0);
  const chains = Array.from({ length: CHAINS }, () => null);
  const before = await liveBytes();
  for (let place = 0; place < CHAINS; place++) chains[place] = chainOf(place);
  const bytes = ((await liveBytes()) - before) / CHAINS;

  let next = 0;
  const only = [chains[0]];
  const callNext = (list) => () => list[(next = (next + 1) % list.length)].run();
  const spread = await compare({ one: callNext(only), all: callNext(chains) }, { rounds, slice: 40 });

  let open;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const idle = activeTimers();
  const calls = chains.map((chain) => chain.run());
  await tick();
  const timers = activeTimers() - idle;
  open(ANSWER);
  await Promise.all(calls);

  return [
    row(8, '100 candidates / 1: engine', sizes.ratio('hundred', 'one'), 'itself', 1.2),
    row(8, '10 000 chains / 1: engine', spread.ratio('all', 'one'), 'itself', 1.6),
    row(8, 'a chain of two candidates', bytes, 'bytes', 800),
    row(8, 'timers, 10 000 chains with 3 timeouts in flight', timers, 'count', TIMEOUTS.length),
  ];
}
