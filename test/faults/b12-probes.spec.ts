import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AttemptSignal, Fallback } from '../../lib/index.js';
import type { CandidateHealth } from '../../lib/index.js';
import { candidateIn, closeApps, startApp } from '../support/nest-app.js';
import type { StartedApp } from '../support/nest-app.js';
import { TestClock, settle } from '../support/test-clock.js';

const CALLERS = 20;

let clock: TestClock;
/** the runs of A that wait to be told how they end */
let runs: { answer(): void; fail(error?: unknown): void }[];
let isThrowing: boolean;

@Injectable()
class Quotes {
  @Fallback('b', { breaker: { threshold: 5, cooldown: 1_000, factor: 1 } })
  a(@AttemptSignal() _signal?: AbortSignal): Promise<string> {
    if (isThrowing) {
      runs.push({ answer: () => {}, fail: () => {} });
      throw new Error('A throws at once');
    }
    return new Promise((resolve, reject) => {
      runs.push({ answer: () => resolve('a'), fail: (error = new Error('A is down')) => reject(error) });
    });
  }

  async b(): Promise<string> {
    return 'b';
  }
}

describe('B12: every waiting caller becomes a probe', () => {
  let started: StartedApp;
  let quotes: Quotes;
  let settled: { value: string; servedBy: string | null | undefined }[];

  const stateOfA = (): CandidateHealth => candidateIn(started.health, 'Quotes.a', 'a');

  function expectA(state: Partial<CandidateHealth>): void {
    expect(stateOfA()).toMatchObject(state);
  }

  /** Starts calls together and lets them go as far as they can without A. */
  async function callTogether(count: number): Promise<Promise<void>[]> {
    runs = [];
    settled = [];
    const calls = Array.from({ length: count }, () =>
      started.fallback
        .withReceipt(() => quotes.a())
        .then(({ value, receipt }) => void settled.push({ value, servedBy: receipt?.servedBy })),
    );
    await settle();
    return calls;
  }

  /** Of `CALLERS` calls that start together exactly one runs A; all others have B's answer before A settles. */
  async function expectOneProbe(): Promise<Promise<void>[]> {
    const calls = await callTogether(CALLERS);
    expect(runs).toHaveLength(1);
    expect(settled).toEqual(Array.from({ length: CALLERS - 1 }, () => ({ value: 'b', servedBy: 'b' })));
    return calls;
  }

  /** All are answered by B, and A is not asked. */
  async function expectNoProbe(count: number): Promise<void> {
    await Promise.all(await callTogether(count));
    expect(runs).toHaveLength(0);
    expect(settled).toEqual(Array.from({ length: count }, () => ({ value: 'b', servedBy: 'b' })));
  }

  async function expectAIsAskedFirst(): Promise<void> {
    const [call] = await callTogether(1);
    expect(runs).toHaveLength(1);
    runs[0]!.answer();
    await call;
    // What the primary answers undisturbed has a receipt in the scope all the same.
    expect(settled).toEqual([{ value: 'a', servedBy: 'a' }]);
  }

  beforeEach(async () => {
    clock = new TestClock();
    isThrowing = false;
    started = await startApp({ providers: [Quotes], options: { clock } });
    quotes = started.app.get(Quotes);
  });

  /** Six calls overlap and all fail on A: five at once, the sixth 100 ms later. */
  async function sixFailures(): Promise<void> {
    const { calls, sixth } = await fiveFailures();
    await clock.advance(100);
    sixth.fail();
    await Promise.all(calls);
  }

  async function fiveFailures() {
    const calls = await callTogether(6);
    const [sixth, ...five] = [...runs].reverse();
    for (const run of five) run.fail();
    await settle();
    expectA({ state: 'open', consecutiveFailures: 5, coolingFor: 1_000 });
    return { calls, sixth: sixth! };
  }

  afterEach(closeApps);

  it('B12: the fifth failure opens A, and the sixth changes nothing', async () => {
    await sixFailures();
    expect(settled).toHaveLength(6);
    expectA({ state: 'open', consecutiveFailures: 5, coolingFor: 900, counts: { transient: 6 } });
    expect(started.events.filter(({ name }) => name === 'circuit.opened')).toHaveLength(1);

    await clock.advance(899);
    await expectNoProbe(CALLERS);
  });

  it('B12: after the cooldown one of 20 callers probes, the others have B while A hangs', async () => {
    await sixFailures();
    await clock.advance(900);
    const calls = await expectOneProbe();
    runs[0]!.answer();
    await Promise.all(calls);
    expect(settled.at(-1)).toEqual({ value: 'a', servedBy: 'a' });
  });

  it('B12 (a): the probe succeeds, and the next call goes to A', async () => {
    await sixFailures();
    await clock.advance(900);
    const calls = await expectOneProbe();
    runs[0]!.answer();
    await Promise.all(calls);
    expectA({ state: 'closed', consecutiveFailures: 0, coolingFor: 0 });
    await expectAIsAskedFirst();
  });

  it('B12 (b): the probe fails, and A cools for its full time from then on', async () => {
    await sixFailures();
    await clock.advance(900);
    const calls = await expectOneProbe();
    await clock.advance(250);
    runs[0]!.fail();
    await Promise.all(calls);
    expect(settled.at(-1)).toEqual({ value: 'b', servedBy: 'b' });
    expectA({ state: 'open', coolingFor: 1_000 });

    await clock.advance(999);
    await expectNoProbe(CALLERS);
    await clock.advance(1);
    const next = await expectOneProbe();
    runs[0]!.answer();
    await Promise.all(next);
  });

  it('B12 (c): the probe throws synchronously, and A cools for its full time from then on', async () => {
    await sixFailures();
    await clock.advance(900);
    isThrowing = true;
    const calls = await callTogether(CALLERS);
    await Promise.all(calls);
    expect(runs).toHaveLength(1);
    expect(settled).toEqual(Array.from({ length: CALLERS }, () => ({ value: 'b', servedBy: 'b' })));
    expectA({ state: 'open', coolingFor: 1_000 });

    isThrowing = false;
    await clock.advance(999);
    await expectNoProbe(CALLERS);
    await clock.advance(1);
    const next = await expectOneProbe();
    runs[0]!.answer();
    await Promise.all(next);
  });

  it('B12: the sixth failure changes nothing even if it comes while the probe runs', async () => {
    const { calls, sixth } = await fiveFailures();
    await clock.advance(1_000);
    const probing = await expectOneProbe();
    const [probe] = runs;
    sixth.fail();
    await Promise.all(calls);
    expectA({ state: 'half-open', consecutiveFailures: 5 });
    await expectNoProbe(CALLERS);
    probe!.answer();
    await Promise.all(probing);
    expectA({ state: 'closed', consecutiveFailures: 0 });
  });

  it("B12 (d): the probe's caller aborts: the slot is free, nothing is counted, the next call probes at once", async () => {
    await sixFailures();
    await clock.advance(900);
    const before = stateOfA();
    runs = [];
    const caller = new AbortController();
    const reason = new Error('the caller went away');
    const probe = quotes.a(caller.signal).then(
      () => 'answered',
      (error: unknown) => error,
    );
    await settle();
    expect(runs).toHaveLength(1);
    await expectNoProbe(CALLERS - 1);

    caller.abort(reason);
    expect(await probe).toBe(reason);
    expectA({ state: 'half-open', consecutiveFailures: before.consecutiveFailures, coolingFor: 0 });
    expect(stateOfA().counts.transient).toBe(before.counts.transient);

    const calls = await expectOneProbe();
    runs[0]!.answer();
    await Promise.all(calls);
    expectA({ state: 'closed' });
  });

  it('B12 (e): the probe is terminal: the slot is free and A still eligible', async () => {
    await sixFailures();
    await clock.advance(900);
    const notFound = Object.assign(new Error('no such quote'), { response: { status: 404 } });
    runs = [];
    const probe = quotes.a().then(
      () => 'answered',
      (error: unknown) => error,
    );
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]!.fail(notFound);
    expect(await probe).toBe(notFound);
    // A candidate that can say no works.
    expectA({ state: 'closed', consecutiveFailures: 0, coolingFor: 0 });
    await expectAIsAskedFirst();
  });
});
