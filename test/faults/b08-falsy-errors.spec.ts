import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Fallback, FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import { candidateIn, closeApps, settledOf, startApp } from '../support/nest-app.js';
import type { StartedApp } from '../support/nest-app.js';

type How = 'rejects' | 'throws synchronously';

let classified: unknown[];

/** Fails with whatever it is given; not an async method, so that it can throw before there is a promise. */
function failWith(value: unknown, how: How): Promise<string> {
  if (how === 'throws synchronously') throw value;
  return Promise.reject(value);
}

@Injectable()
class Plain {
  @Fallback('b', { breaker: { threshold: 1_000_000 } })
  a(value: unknown, how: How): Promise<string> {
    return failWith(value, how);
  }

  async b(): Promise<string> {
    return 'ok';
  }
}

@Injectable()
class Classifying {
  @Fallback('b', {
    breaker: { threshold: 1_000_000 },
    classify(error) {
      classified.push(error);
      return undefined;
    },
  })
  a(value: unknown, how: How): Promise<string> {
    return failWith(value, how);
  }

  async b(): Promise<string> {
    return 'ok';
  }
}

@Injectable()
class Hopeless {
  @Fallback('b')
  a(how: How): Promise<string> {
    return failWith(undefined, how);
  }

  b(how: How): Promise<string> {
    return failWith(undefined, how);
  }
}

const VALUES = [undefined, null, false, 0, '', NaN];
const WAYS: How[] = ['rejects', 'throws synchronously'];
const FAULTS = VALUES.flatMap((value) => WAYS.map((how) => ({ value, how, shown: value === '' ? "''" : `${value}` })));

describe('B08: `throw undefined` looks like success', () => {
  let started: StartedApp;

  beforeEach(async () => {
    classified = [];
    started = await startApp({ providers: [Plain, Classifying, Hopeless] });
  });

  afterEach(closeApps);

  it.each(FAULTS)('B08: A $how with $shown, B answers', async ({ value, how }) => {
    const plain = started.app.get(Plain);
    const outcome = await started.fallback.withReceipt(() => plain.a(value, how));

    expect(outcome.value).toBe('ok');
    expect(outcome.receipt).toMatchObject({
      chain: 'Plain.a',
      servedBy: 'b',
      source: 'candidate',
      degraded: false,
      failedOver: true,
      attempts: [
        { candidate: 'a', index: 0, attempt: 0, kind: 'transient' },
        { candidate: 'b', index: 1, attempt: 1, kind: 'ok' },
      ],
    });
    expect(candidateIn(started.health, 'Plain.a', 'a')).toMatchObject({
      consecutiveFailures: 1,
      counts: { transient: 1 },
      lastKind: 'transient',
    });
    expect(started.events.map(({ name }) => name)).toEqual(['attempt.settled', 'attempt.settled', 'call.served']);
    expect(settledOf(started.events, 'a')).toMatchObject([{ kind: 'transient' }]);
  });

  it('B08: each call counts one failure of A, twelve calls count twelve', async () => {
    const plain = started.app.get(Plain);
    for (const [place, { value, how }] of FAULTS.entries()) {
      expect(await plain.a(value, how)).toBe('ok');
      expect(candidateIn(started.health, 'Plain.a', 'a').consecutiveFailures).toBe(place + 1);
    }
    expect(candidateIn(started.health, 'Plain.a', 'a').counts).toEqual({ transient: 12 });
  });

  it.each(FAULTS)("B08: a user's classify receives $shown itself when A $how", async ({ value, how }) => {
    const classifying = started.app.get(Classifying);
    await expect(classifying.a(value, how)).resolves.toBe('ok');
    expect(classified).toHaveLength(1);
    expect(Object.is(classified[0], value)).toBe(true);
    expect(started.events.map(({ name }) => name)).not.toContain('hook.failed');
  });

  it.each(WAYS)('B08: A and B: each %s with undefined, and there is no substitute', async (how) => {
    const error: unknown = await started.app
      .get(Hopeless)
      .a(how)
      .then(
        () => 'answered',
        (thrown: unknown) => thrown,
      );

    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    const exhausted = error as FallbackExhaustedError;
    expect(exhausted.message).toBe('All 2 fallback candidates failed (a: transient; b: transient)');
    expect(exhausted.attempts).toMatchObject([
      { candidate: 'a', index: 0, attempt: 0, kind: 'transient' },
      { candidate: 'b', index: 1, attempt: 1, kind: 'transient' },
    ]);
    expect(exhausted.attempts).toHaveLength(2);
    expect(exhausted.failures()).toHaveLength(2);
    expect(exhausted.failures()).toEqual([
      { candidate: 'a', error: undefined },
      { candidate: 'b', error: undefined },
    ]);
    expect(receiptOf(error)?.attempts).toEqual(exhausted.attempts);
  });
});
