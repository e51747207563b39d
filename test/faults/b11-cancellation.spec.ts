import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AttemptSignal, AttemptTimeoutError, Fallback, receiptOf } from '../../lib/index.js';
import { candidateIn, closeApps, settledOf, startApp } from '../support/nest-app.js';
import type { StartedApp } from '../support/nest-app.js';
import { TestClock } from '../support/test-clock.js';

const CHAIN = 'Search.find';

let clock: TestClock;
/** what A does, given its signal */
let behaviour: (signal: AbortSignal | undefined) => Promise<string>;
let spareCalls: number;

function abortError(): Error {
  return Object.assign(new Error('This operation was aborted'), { name: 'AbortError' });
}

/** As clients do: silent until the signal says stop, then an AbortError of their own. */
function untilAborted(signal: AbortSignal | undefined): Promise<string> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(abortError()));
  });
}

@Injectable()
class Search {
  @Fallback('spare', { breaker: { threshold: 1, cooldown: '30s' }, primary: { timeout: 1_000 } })
  find(@AttemptSignal() signal?: AbortSignal): Promise<string> {
    return behaviour(signal);
  }

  async spare(): Promise<string> {
    spareCalls++;
    return 'B';
  }
}

describe('B11: a user pressing Stop trips the breaker', () => {
  let started: StartedApp;
  let search: Search;

  beforeEach(async () => {
    clock = new TestClock();
    spareCalls = 0;
    started = await startApp({ providers: [Search], options: { clock } });
    search = started.app.get(Search);
  });

  afterEach(closeApps);

  it('B11 (a): the caller aborts after 10 ms, A then rejects with an AbortError', async () => {
    behaviour = untilAborted;
    const reason = { says: 'the user pressed Stop' };
    const caller = new AbortController();
    const call = search.find(caller.signal).then(
      () => 'answered',
      (error: unknown) => error,
    );
    await clock.advance(10);
    caller.abort(reason);

    expect(await call).toBe(reason);
    await clock.advance(2_000);
    expect(spareCalls).toBe(0);
    expect(candidateIn(started.health, CHAIN, 'find')).toMatchObject({
      state: 'closed',
      consecutiveFailures: 0,
      coolingFor: 0,
      counts: { cancelled: 1 },
    });
    expect(started.events.map(({ name, candidate, kind }) => [name, candidate, kind])).toEqual([
      ['attempt.settled', 'find', 'cancelled'],
      ['call.stopped', undefined, 'cancelled'],
    ]);
    expect(receiptOf(reason)).toMatchObject({ stoppedBy: 'cancelled', servedBy: null, degraded: false });
  });

  it.each([
    { sign: 'b', what: 'an error named AbortError', error: abortError(), kind: 'transient' },
    {
      sign: 'b',
      what: 'an AbortError DOMException',
      error: new DOMException('This operation was aborted', 'AbortError'),
      kind: 'transient',
    },
    {
      sign: 'c',
      what: 'a TimeoutError DOMException of its own inner timeout',
      error: new DOMException('The operation timed out', 'TimeoutError'),
      kind: 'timeout',
    },
  ])('B11 ($sign): nobody aborts, but A rejects with $what', async ({ error, kind }) => {
    behaviour = () => Promise.reject(error);
    const { value, receipt } = await started.fallback.withReceipt(() => search.find(new AbortController().signal));

    expect(value).toBe('B');
    expect(spareCalls).toBe(1);
    expect(receipt).toMatchObject({
      servedBy: 'spare',
      attempts: [
        { candidate: 'find', kind },
        { candidate: 'spare', kind: 'ok' },
      ],
    });
    expect(settledOf(started.events, 'find')).toMatchObject([{ kind }]);
    expect(candidateIn(started.health, CHAIN, 'find')).toMatchObject({
      state: 'open',
      coolingFor: 30_000,
      consecutiveFailures: 1,
      counts: { [kind]: 1 },
    });
  });

  it('B11 (d): our timeout elapses and A then rejects with an AbortError', async () => {
    let reasonSeen: unknown;
    behaviour = (signal) => {
      signal?.addEventListener('abort', () => (reasonSeen = signal.reason));
      return untilAborted(signal);
    };
    const call = started.fallback.withReceipt(() => search.find(new AbortController().signal));
    await clock.advance(999);
    expect(spareCalls).toBe(0);
    await clock.advance(1);
    const { value, receipt } = await call;
    await clock.advance(1_000);

    expect(value).toBe('B');
    expect(spareCalls).toBe(1);
    expect(reasonSeen).toBeInstanceOf(AttemptTimeoutError);
    expect(receipt?.attempts).toMatchObject([
      { candidate: 'find', kind: 'timeout', duration: 1_000 },
      { candidate: 'spare', kind: 'ok' },
    ]);
    expect(settledOf(started.events, 'find')).toMatchObject([{ kind: 'timeout' }]);
    expect(candidateIn(started.health, CHAIN, 'find')).toMatchObject({
      state: 'open',
      coolingFor: 29_000,
      consecutiveFailures: 1,
      counts: { timeout: 1 },
    });
  });
});
