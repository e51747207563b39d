/** Everything on: an accept hook, one event listener, and the last known good by one string, within `refreshAfter`. */
import { handInFull } from '../baselines.mjs';
import { compare } from '../measure.mjs';
import { row } from '../rows.mjs';
import { decorated, good } from '../subjects.mjs';

const HOUR = 3_600_000;
const accept = (value) => value.id === '7';
const keyOf = (query) => query.id;

let heard = 0;
const listener = (event) => {
  if (event.name === 'call.served') heard++;
};

export async function measure({ rounds }) {
  const lastKnownGood = { maxAge: 2 * HOUR, refreshAfter: HOUR, key: keyOf };
  const call = await decorated(
    [good(), good()],
    { timeout: '1s', accept },
    { degraded: { lastKnownGood, mark: 'receipt' }, observers: [listener] },
  );
  await call();
  if (heard === 0) throw new Error('the listener was not told');
  const { ratio } = await compare(
    {
      hand: handInFull([good(), good()], { accept, listener, keyOf, refreshAfter: HOUR, maxAge: 2 * HOUR }),
      decorated: call,
    },
    { rounds },
  );
  return [row(4, 'accept, listener, last known good: decorated / hand', ratio('decorated', 'hand'), 'hand', 1.1)];
}
