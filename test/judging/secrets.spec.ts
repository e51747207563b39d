import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createFallbackChain, rateLimited, receiptOf } from '../../lib/index.js';
import type { FallbackExhaustedError } from '../../lib/index.js';
import { Ended, Heard } from '../support/core-call.js';
import { open } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

const SECRET = 'sk-live-123';
const leaky = () =>
  Object.assign(new Error(`POST https://x.example/?api_key=${SECRET}`), {
    config: { headers: { Authorization: `Bearer ${SECRET}` } },
    response: { status: 503, data: SECRET },
  });

/** Every text in which a value may end up somewhere. */
const everythingOf = (value: unknown) =>
  [
    String(value),
    (value as Error | undefined)?.stack ?? '',
    JSON.stringify(value) ?? '',
    inspect(value, { depth: null, showHidden: true, getters: true }),
  ].join('\n');

describe('B22: credentials travel with the error', () => {
  it('B22: not with retries, an answer that was not accepted, a hook that threw, a timeout or a deadline', async () => {
    const ladder = await open({
      rungs: [
        { name: 'retried', plays: fails(leaky()), retries: 2 },
        { name: 'vetoed', plays: gives({ token: SECRET }), accept: () => false },
        {
          name: 'unjudged',
          plays: gives({ token: SECRET }),
          accept: () => {
            throw leaky();
          },
        },
        { name: 'limited', plays: fails(rateLimited(`quota of ${SECRET}`, { cause: leaky() })) },
        { name: 'slow', plays: hangs, timeout: 1_000 },
        { name: 'cut', plays: hangs },
        { name: 'never', plays: gives(SECRET) },
      ],
      options: { deadline: '30s', breaker: { threshold: 1 } },
      degraded: {
        substitute: () => {
          throw leaky();
        },
      },
    });
    const call = await ladder.call({ password: SECRET }, 30_000);
    const error = call.error as FallbackExhaustedError;
    expect(error.attempts.map(({ kind, reason }) => reason ?? kind)).toEqual([
      'transient',
      'rejected',
      'rejected',
      'rate-limited',
      'timeout',
      'timeout',
      'deadline',
    ]);
    expect(everythingOf(error)).not.toContain(SECRET);
    expect(everythingOf(receiptOf(error))).not.toContain(SECRET);
    expect(everythingOf(ladder.events)).not.toContain(SECRET);
    expect(everythingOf(ladder.health.snapshot())).not.toContain(SECRET);
    expect(everythingOf(ladder.warnings)).not.toContain(SECRET);
    // They are kept, for those who ask.
    expect(error.failures()).toHaveLength(6);
    expect(everythingOf(error.failures())).toContain(SECRET);
  });

  it('B22: not with an inner chain`s own exhaustion', async () => {
    const clock = new TestClock();
    const heard = new Heard();
    const inner = createFallbackChain<string>([() => Promise.reject(leaky())], { name: 'inner', clock });
    const outer = createFallbackChain<string>([inner, inner.run.bind(inner) as never], {
      name: 'outer',
      clock,
      onAttempt: heard.onAttempt,
    });
    const call = new Ended(outer.run(), clock);
    await clock.advance(0);
    const error = call.error as FallbackExhaustedError;
    expect(everythingOf(error)).not.toContain(SECRET);
    expect(everythingOf(error.failures())).not.toContain(SECRET);
    expect(everythingOf(heard.records)).not.toContain(SECRET);
    expect(everythingOf(outer.health())).not.toContain(SECRET);
    const [first] = error.failures();
    expect(everythingOf((first!.error as FallbackExhaustedError).failures())).toContain(SECRET);
  });

  it("B22: with detail: 'messages' only the messages, and only in the message", async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: fails(leaky()) }], options: { detail: 'messages' } });
    const error = (await ladder.call()).error as FallbackExhaustedError;
    expect(error.message).toContain('api_key');
    expect(everythingOf(error)).not.toContain('Bearer');
    expect(everythingOf(error.attempts)).not.toContain(SECRET);
    expect(everythingOf(ladder.events)).not.toContain(SECRET);
  });
});
