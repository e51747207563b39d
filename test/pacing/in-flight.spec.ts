import { describe, expect, it } from '@jest/globals';
import { open } from '../support/ladder.js';
import { bounded } from '../support/paced.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');

describe('a deaf candidate that was cut is still in flight', () => {
  it('until it settles', async () => {
    const { ladder, begin, log } = await bounded(gives('a', 500), { timeout: 10 });
    await begin(2);
    await ladder.clock.advance(499);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
    await ladder.clock.advance(1);
    expect((await ladder.call(undefined, 10)).attempts).toEqual(['a:timeout', 'b:ok']);
    expect(log.most).toBe(2);
  });

  it('also when its caller has left', async () => {
    const { ladder, begin } = await bounded(gives('a', 500));
    const gone = new AbortController();
    await begin(2, gone.signal);
    gone.abort();
    await ladder.clock.advance(400);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
    await ladder.clock.advance(100);
    expect((await ladder.call(undefined, 500)).attempts).toEqual(['a:ok']);
  });

  it('F37 but for 30 s at most, so that it cannot lock itself out; no timer waits for that', async () => {
    const { ladder, begin, log } = await bounded([hangs, hangs, gives('a')], { timeout: 10 });
    await begin(2);
    await ladder.clock.advance(10);
    expect(ladder.clock.refd).toBe(0);
    await ladder.clock.advance(29_999);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
    await ladder.clock.advance(1);
    expect((await ladder.call()).attempts).toEqual(['a:ok']);
    expect(log.times).toHaveLength(3);
  });
});

describe('maxConcurrent beside circuits', () => {
  it('F36 a probe takes a permit like any call, and the others find it cooling', async () => {
    const { ladder, begin } = await bounded(
      [fails(down), gives('a', 100)],
      { maxConcurrent: 1 },
      { breaker: { threshold: 1, cooldown: '5s' } },
    );
    await ladder.call();
    await ladder.clock.advance(5_000);
    const calls = await begin(3);
    expect(calls[2]!.attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
    await ladder.clock.advance(100);
    expect(calls[0]!.attempts).toEqual(['a:ok']);
    expect((await begin(2))[1]!.attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
    await ladder.clock.advance(100);
  });

  it('F36 a half-open candidate that is saturated is passed over, its probe untouched and nothing told', async () => {
    const { ladder } = await bounded(
      [gives('a', 20_000), fails(down), gives('a')],
      { maxConcurrent: 1, timeout: 10 },
      { breaker: { threshold: 1, cooldown: '5s' } },
    );
    expect((await ladder.call(undefined, 10)).attempts).toEqual(['a:timeout', 'b:ok']);
    await ladder.clock.advance(5_000);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
    expect(ladder.eventsNamed('circuit.half-opened')).toHaveLength(0);
    await ladder.clock.advance(15_000);
    expect((await ladder.call()).attempts).toEqual(['a:transient', 'b:ok']);
    expect(ladder.eventsNamed('circuit.half-opened')).toHaveLength(1);
  });

  it('an open candidate that is saturated is cooling, and as the last resort it is not tried', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', maxConcurrent: 1, timeout: 10, plays: gives('a', 500) },
        { name: 'b', plays: fails(down) },
      ],
      options: { breaker: { threshold: 1, cooldown: '60s' } },
    });
    const first = await ladder.call(undefined, 10);
    expect(first.attempts).toEqual(['a:timeout', 'b:transient']);
    const second = await ladder.call(undefined, 10);
    expect(second.attempts).toEqual(['a:skipped(cooling)', 'b:transient']);
    expect(ladder.calls['a']).toBe(1);
  });
});
