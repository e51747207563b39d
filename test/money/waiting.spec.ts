/** What is spent while a call waits, for its slot or for its next try, is gone when it goes on. */
import { expect, it } from '@jest/globals';
import { createFallbackChain } from '../../lib/core/index.js';
import type { CoreOptions } from '../../lib/core/index.js';
import { TestClock } from '../support/test-clock.js';

const down = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));

function ladder(options: CoreOptions<string>, answer: () => Promise<string>) {
  const clock = new TestClock();
  let calls = 0;
  const chain = createFallbackChain<string>(
    [
      {
        name: 'paid',
        cost: 1,
        run: () => {
          calls++;
          return answer();
        },
      },
    ],
    { clock, breaker: { threshold: 1e9 }, ...options },
  );
  const begin = async (times: number): Promise<void> => {
    const settled = Promise.allSettled(Array.from({ length: times }, () => chain.run()));
    for (let turn = 0; turn < 200; turn++) await clock.advance(500);
    await settled;
  };
  return { begin, calls: () => calls };
}

it('ten calls that wait for their slots spend no more than the limit', async () => {
  const { begin, calls } = ladder({ minInterval: 5, budget: { limit: 2, per: '1h' } }, async () => 'paid');
  await begin(10);
  expect(calls()).toBe(2);
});

it('ten calls that try again at once spend no more than the limit', async () => {
  const { begin, calls } = ladder({ retries: 5, budget: { limit: 12, per: '1h' } }, down);
  await begin(10);
  expect(calls()).toBe(12);
});

it("onBudget: 'stop' that is reached among the last resorts is the end of the call", async () => {
  const clock = new TestClock();
  const candidate = (name: string) => ({ name, cost: 1, run: down });
  const chain = createFallbackChain<string>([candidate('a'), candidate('b')], {
    clock,
    breaker: { threshold: 1, cooldown: '1m' },
    budget: { limit: 3, per: '1h' },
    onBudget: 'stop',
  });
  await expect(chain.run()).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
  // Both are open; the first last resort spends what is left.
  await expect(chain.run()).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' });
});
