import { describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { Bench, Ended, Heard } from '../support/core-call.js';
import { open } from '../support/ladder.js';
import { Log, paced } from '../support/paced.js';
import { fails, gives } from '../support/plays.js';
import { TestClock, settle } from '../support/test-clock.js';

const S = 1_000;
const down = new Error('down');

describe('minInterval beside other options', () => {
  it('the time of an asynchronous supports counts, the wait after it does not', async () => {
    const { ladder } = await paced(
      {},
      {
        timeout: 100,
        supports: () => ladderClock.sleep(40).then(() => true),
      },
      gives('a', 70),
    );
    const ladderClock = ladder.clock;
    const first = await ladder.call(undefined, 110);
    expect(first.attempts).toEqual(['a:timeout', 'b:ok']);
    const call = await ladder.call(undefined, 2 * S);
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    // the first call was at 40, so its slot was at 1040, and 60 ms were left then
    expect(call.took).toBe(1_100 - 110);
    expect(call.receipt!.attempts[0]!.duration).toBe(100);
    expect(ladder.clock.refd).toBe(0);
  });

  it('one whose caller leaves while it waits after such a supports leaves no timer', async () => {
    const { ladder } = await paced({}, { timeout: 5 * S, supports: async () => true });
    await ladder.call();
    const gone = new AbortController();
    const call = ladder.begin(undefined, gone.signal);
    await settle();
    gone.abort(down);
    await settle();
    expect(call.error).toBe(down);
    expect(ladder.clock.refd).toBe(0);
  });

  it('an attempt that was over before it began is written down at once', async () => {
    const own = { supports: async () => true, timeout: () => 'soon' as never };
    const { ladder, a } = await paced({}, own);
    await ladder.call();
    expect(await ladder.call()).toMatchObject({ took: 0, attempts: ['a:timeout', 'b:ok'] });
    expect(a.times).toEqual([]);
  });

  it('a further try that is given up gives its slot back', async () => {
    const clock = new TestClock();
    const times: number[] = [];
    const run = () => {
      times.push(clock.now() - 1_000);
      return times.length === 1 ? Promise.reject(down) : 'a';
    };
    const chain = createFallbackChain([{ name: 'a', run, retries: 1, minInterval: S }], { clock });
    const gone = new AbortController();
    const call = new Ended(chain.run({ signal: gone.signal }), clock);
    await settle();
    gone.abort(down);
    await settle();
    expect(call.error).toBe(down);
    void chain.run();
    await clock.advance(S);
    expect(times).toEqual([0, S]);
  });

  it('further tries have slots of their own', async () => {
    const log = new Log();
    const clock = new TestClock();
    const heard = new Heard();
    const run = log.of(fails(down));
    const chain = createFallbackChain(
      [{ name: 'a', run: (ctx: AttemptContext) => run(ctx, clock, []), retries: 2, minInterval: S }],
      {
        clock,
        onAttempt: heard.onAttempt,
      },
    );
    const first = chain.run();
    first.catch(() => {});
    await settle();
    const second = chain.run();
    second.catch(() => {});
    await clock.advance(10 * S);
    expect(log.times).toEqual([0, S, 2 * S, 3 * S, 4 * S, 5 * S]);
    expect(heard.records.map(({ tries }) => tries)).toEqual([3, 3]);
  });

  it('a gated candidate behind it answers what is rate-limited', async () => {
    const bench = new Bench(
      [
        { name: 'a', run: () => 'a', minInterval: '60s' },
        { name: 'b', run: () => 'b', on: ['rate-limited'] },
      ],
      { deadline: '1s' },
    );
    bench.begin();
    await settle();
    const call = bench.begin();
    await settle();
    expect(call.value).toBe('b');
  });

  it('the last resort waits for its slot too, with one record', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', minInterval: S, plays: [fails(down), gives('a')] },
        { name: 'b', plays: fails(down) },
      ],
      options: { breaker: { threshold: 1, cooldown: '60s' } },
    });
    await ladder.call();
    const call = ladder.begin();
    await ladder.clock.advance(S);
    expect(call).toMatchObject({ value: 'a', took: S, attempts: ['b:skipped(cooling)', 'a:ok'] });
  });
});
