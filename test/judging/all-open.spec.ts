import { describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const [errorOfA, errorOfB] = [new Error('a'), new Error('b')];

/** B13: A and B, threshold 1, cooldown 60 s; both fail in the first call. */
const both = (a: Play, b: Play, substitute?: string) =>
  open({
    rungs: [
      { name: 'A', plays: a },
      { name: 'B', plays: b },
    ],
    options: { breaker: { threshold: 1, cooldown: '60s' } },
    ...(substitute !== undefined && { degraded: { substitute } }),
  });

const failed = { A: 'transient', B: 'transient' };
const kindsOf = (error: unknown) =>
  Object.fromEntries((error as FallbackExhaustedError).attempts.map(({ candidate, kind }) => [candidate, kind]));

describe('B13: everything is cooling, or everything fails', () => {
  it('B13 (a): both are cooling after one call; two attempts in order', async () => {
    const ladder = await both(fails(errorOfA), fails(errorOfB));
    const { error } = await ladder.call();
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect((error as FallbackExhaustedError).failures()).toEqual([
      { candidate: 'A', error: errorOfA },
      { candidate: 'B', error: errorOfB },
    ]);
    expect(kindsOf(error)).toEqual(failed);
    expect(ladder.circuits).toEqual({ A: 'open 1 for 60000', B: 'open 1 for 60000' });
  });

  it('B13 (b): 1 s later, without a substitute, B is healthy again: A is tried, then B', async () => {
    const ladder = await both(fails(errorOfA), [fails(errorOfB), gives('b')]);
    await ladder.call();
    await ladder.goTo(1_000);
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['A:transient', 'B:ok']);
    expect(call.receipt).toMatchObject({ servedBy: 'B', degraded: false });
    expect(ladder.calls).toEqual({ A: 2, B: 2 });
    // B's success closes its circuit; A's failure as the last resort changes nothing
    expect(ladder.circuits).toEqual({ A: 'open 1 for 59000', B: 'closed 0' });
  });

  it('B13 (c): both still fail: each once, two attempts', async () => {
    const ladder = await both(fails(errorOfA), fails(errorOfB));
    await ladder.call();
    await ladder.goTo(1_000);
    const { error } = await ladder.call();
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect((error as FallbackExhaustedError).attempts).toHaveLength(2);
    expect(kindsOf(error)).toEqual(failed);
    expect(ladder.calls).toEqual({ A: 2, B: 2 });
    expect(error).toMatchObject({ retryAfter: 59_000 });
  });

  it('B13 (c): a hundred times over: no growing stack, each call tries each once', async () => {
    const ladder = await both(fails(errorOfA), fails(errorOfB));
    for (let call = 1; call <= 100; call++) {
      expect((await ladder.call()).error).toBeInstanceOf(FallbackExhaustedError);
      expect(ladder.calls).toEqual({ A: call, B: call });
    }
    expect(ladder.circuits).toEqual({ A: 'open 1 for 60000', B: 'open 1 for 60000' });
  });

  it('B13 (d): with a static substitute it is served at once and nobody is called', async () => {
    const ladder = await both(fails(errorOfA), fails(errorOfB), 'standing');
    await ladder.call();
    await ladder.goTo(1_000);
    const call = await ladder.call();
    expect(call).toMatchObject({ outcome: { value: 'standing' }, took: 0 });
    expect(call.attempts).toEqual(['A:skipped(cooling)', 'B:skipped(cooling)']);
    expect(call.receipt).toMatchObject({ degraded: true, source: 'static', reason: 'cooling' });
    expect(ladder.calls).toEqual({ A: 1, B: 1 });
  });
});
