import { expect, it } from '@jest/globals';
import { keeping } from '../support/value-stores.js';

const exhausted = { code: 'FALLBACK_EXHAUSTED' };

it.each([
  ['many small values: the 1 000 that were used last', 1_100, 'v', 100],
  ['large values: 64 MB at most', 400, 'x'.repeat(120_000), 120],
])('the process keeps of %s', async (_what, count, text, gone) => {
  const { ladder, state } = await keeping(undefined);
  state.give = () => text;
  for (let place = 0; place < count; place++) await ladder.call(place);
  state.give = null;
  expect((await ladder.call(count - 1)).value).toBe(text);
  expect((await ladder.call(gone + 1)).value).toBe(text);
  expect((await ladder.call(gone - 1)).error).toMatchObject(exhausted);
});

it('an empty text, and no value at all, are values', async () => {
  const { ladder, state } = await keeping(undefined);
  for (const value of ['', undefined, 0]) {
    state.give = () => value;
    await ladder.call(String(value));
    state.give = null;
    expect((await ladder.call(String(value))).value).toBe(value);
  }
});

it('one that is larger than all of the memory is not kept, and that is said', async () => {
  const { ladder, state } = await keeping(undefined, { maxBytes: 1_000_000_000 });
  state.give = () => Buffer.alloc(70_000_000);
  await ladder.call('q');
  expect(ladder.eventsNamed('value.not-stored')).toMatchObject([{ because: 'size' }]);
  state.give = null;
  expect((await ladder.call('q')).error).toMatchObject(exhausted);
});
