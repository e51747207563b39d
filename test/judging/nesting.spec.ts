import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AttemptSignal,
  DeadlineExceededError,
  Degraded,
  FallbackChain,
  FallbackExhaustedError,
  createFallbackChain,
  from,
  receiptOf,
} from '../../lib/index.js';
import type { CandidateRef, DegradedOptions } from '../../lib/index.js';
import { decorate } from '../support/decorate.js';
import { candidateIn, closeApps, startApp } from '../support/nest-app.js';
import { TestClock } from '../support/test-clock.js';

const down = new Error('down');
interface Answer {
  n: number;
  degraded?: boolean;
}

let clock: TestClock;
/** what the innermost candidate does */
let inner: (signal: AbortSignal | undefined, left: number) => Promise<Answer>;
let outerAnswers: boolean;

function runInner(signal: AbortSignal | undefined, left: number): Promise<Answer> {
  return inner(signal, left);
}
const innerCandidate = {
  name: 'deepest',
  run: (ctx: { signal: AbortSignal; deadline: { remaining(): number } }) =>
    runInner(ctx.signal, ctx.deadline.remaining()),
};

/** A provider with a chain on `deep`, whose first candidate passes everything on to a named one. */
@Injectable()
class Deep {
  @FallbackChain([innerCandidate], { name: 'deep chain' })
  deep(_q: string): Promise<Answer> {
    return Promise.reject(down);
  }
}

type Way = 'its decorated method' | 'the decorated method of a provider' | 'a chain of functions';
const WAYS: readonly Way[] = ['its decorated method', 'the decorated method of a provider', 'a chain of functions'];

/** Starts an application whose method `ask` has the inner chain as candidate 1, in one of the three ways. */
async function start(way: Way, outer: object = {}, degraded?: DegradedOptions) {
  class Host {
    ask(_q: string, _signal?: AbortSignal): Promise<Answer> {
      return outerAnswers ? Promise.resolve({ n: 0 }) : Promise.reject(down);
    }

    deep(_q: string): Promise<Answer> {
      return Promise.reject(down);
    }
  }
  const chain = createFallbackChain([innerCandidate as never], { name: 'deep chain', clock });
  const refs: Record<Way, CandidateRef> = {
    'its decorated method': 'deep',
    'the decorated method of a provider': from(Deep, 'deep') as CandidateRef,
    'a chain of functions': chain as never,
  };
  AttemptSignal()(Host.prototype, 'ask', 1);
  const ladders = [FallbackChain([refs[way]] as never, { name: 'outer', ...outer })];
  decorate([...ladders, ...(degraded ? [Degraded(degraded as never)] : [])], Host.prototype, 'ask');
  if (way === 'its decorated method') {
    decorate([FallbackChain([innerCandidate] as never, { name: 'deep chain' })], Host.prototype, 'deep');
  }
  Injectable()(Host);
  const providers = way === 'the decorated method of a provider' ? [Host, Deep] : [Host];
  const started = await startApp({ providers, options: { clock } });
  const host = started.app.get(Host);
  const nameOf: Record<Way, string> = {
    'its decorated method': 'deep',
    'the decorated method of a provider': 'Deep.deep',
    'a chain of functions': 'deep chain',
  };
  return { ...started, host, name: nameOf[way], ask: (signal?: AbortSignal) => host.ask('q', signal) };
}

const caught = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

describe.each(WAYS)('an inner chain by %s', (way) => {
  beforeEach(() => {
    clock = new TestClock();
    outerAnswers = false;
    inner = () => Promise.resolve({ n: 1 });
  });

  afterEach(closeApps);

  it('its answer is the answer, in full', async () => {
    const { ask, fallback, name } = await start(way);
    const { value, receipt } = await fallback.withReceipt(() => ask());
    expect(value).toEqual({ n: 1 });
    expect(receipt).toMatchObject({ chain: 'outer', servedBy: name, degraded: false, failedOver: true });
  });

  it("gets the caller's going away at once, with the reason", async () => {
    let signal: AbortSignal | undefined;
    inner = (given) => ((signal = given), new Promise(() => {}));
    const { ask, health, name } = await start(way);
    const caller = new AbortController();
    const call = caught(ask(caller.signal));
    await clock.advance(10);
    const reason = new Error('gone');
    caller.abort(reason);
    expect(await call).toEqual({ error: reason });
    expect(signal?.reason).toBe(reason);
    expect(candidateIn(health, 'outer', name)).toMatchObject({ consecutiveFailures: 0, counts: { cancelled: 1 } });
  });

  it('gets what the outer deadline leaves, and is cut there', async () => {
    let left = NaN;
    inner = (_signal, remaining) => ((left = remaining), new Promise(() => {}));
    const { ask } = await start(way, { deadline: 100, reserve: 20 });
    const call = caught(ask());
    await clock.advance(80);
    expect(left).toBe(80);
    const { error } = (await call) as { error: FallbackExhaustedError };
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(error.failures()[1]!.error).toBeInstanceOf(DeadlineExceededError);
    await clock.advance(0);
    expect(clock.refd).toBe(0);
  });

  it("the attempt's own timeout aborts it", async () => {
    let signal: AbortSignal | undefined;
    inner = (given) => ((signal = given), new Promise(() => {}));
    const { ask } = await start(way, { timeout: 20 });
    const call = caught(ask());
    await clock.advance(20);
    expect(await call).toMatchObject({ error: { code: 'FALLBACK_EXHAUSTED' } });
    expect(signal?.aborted).toBe(true);
    await clock.advance(100);
    expect(clock.refd).toBe(0);
  });

  it('its exhaustion is one transient failure of the outer', async () => {
    inner = () => Promise.reject(down);
    const { ask, health, name } = await start(way);
    const { error } = (await caught(ask())) as { error: FallbackExhaustedError };
    expect(error.message).toBe(`All 2 fallback candidates failed (ask: transient; ${name}: transient)`);
    expect(error.failures()[1]!.error).toBeInstanceOf(FallbackExhaustedError);
    expect(candidateIn(health, 'outer', name)).toMatchObject({ consecutiveFailures: 1, counts: { transient: 1 } });
  });

  it('its terminal error passes through both', async () => {
    const notFound = Object.assign(new Error('not found'), { status: 404 });
    inner = () => Promise.reject(notFound);
    const { ask } = await start(way);
    expect(await caught(ask())).toEqual({ error: notFound });
    expect(receiptOf(notFound)).toMatchObject({ chain: 'outer', stoppedBy: 'terminal' });
  });

  it('an answer of its own that says it is degraded makes the outer degraded, and is not kept', async () => {
    inner = () => Promise.resolve({ n: 1, degraded: true });
    const degraded: DegradedOptions = { lastKnownGood: { maxAge: '1h' }, substitute: { n: 9 }, mark: 'receipt' };
    const { ask, fallback } = await start(way, {}, degraded);
    const first = await fallback.withReceipt(() => ask());
    expect(first.value).toMatchObject({ n: 1 });
    expect(first.receipt).toMatchObject({ chain: 'outer', degraded: true });
    inner = () => Promise.reject(down);
    await clock.advance(2_000);
    expect(await ask()).toEqual({ n: 9 });
  });
});

describe('an inner degraded answer that is known by identity', () => {
  const thin = { n: 1 };
  const half = (name?: string) =>
    createFallbackChain<Answer>([() => thin], { assess: () => 'thin', clock, ...(name && { name }) });

  it('a thin answer of a named chain of functions inside another', async () => {
    const outer = createFallbackChain<Answer>([() => Promise.reject(down), half('half')], { name: 'whole', clock });
    const value = await outer.run();
    expect(value).toBe(thin);
    expect(receiptOf(value)).toMatchObject({ chain: 'whole', servedBy: 'half', degraded: true });
  });

  it('of chains without names', async () => {
    const outer = createFallbackChain<Answer>([() => Promise.reject(down), half()], { clock });
    const value = await outer.run();
    expect(receiptOf(value)).toMatchObject({ servedBy: 'chain', degraded: true });
  });

  it('two inner chains of one name are refused', () => {
    expect(() => createFallbackChain<Answer>([half('half'), half('half')])).toThrow(/half/);
  });
});
