import { Controller, Get, Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Fallback, FallbackService } from '../../lib/index.js';
import { Barrier } from '../support/barrier.js';
import { PLATFORMS, closeApps, startServer } from '../support/nest-app.js';

const REQUESTS = 50;

let allArrived: Barrier;
let allHealthyAnswered: Barrier;
let errors: unknown[];

@Injectable({ scope: Scope.REQUEST })
class Visitor {
  readonly #token: string;
  /** every `this` that a candidate of this request saw */
  readonly seen: unknown[] = [];

  constructor(@Inject(REQUEST) request: { headers: Record<string, string> }) {
    this.#token = request.headers['x-token']!;
  }

  @Fallback('spare', {
    breaker: { threshold: 1_000_000 },
    classify: (error) => {
      errors.push(error);
      return undefined;
    },
  })
  async whoAmI(): Promise<string> {
    this.seen.push(this);
    allArrived.arrive();
    await allArrived.wait();
    const number = Number(this.#token.split('-')[1]);
    if (number % 2 === 1) return this.#token;
    // The failures come after all successes, so that the number of consecutive ones is certain.
    await allHealthyAnswered.wait();
    throw new Error(`A is down for ${this.#token}`);
  }

  async spare(): Promise<string> {
    await Promise.resolve();
    this.seen.push(this);
    return this.#token;
  }
}

@Controller()
class WhoController {
  constructor(
    private readonly visitor: Visitor,
    private readonly fallback: FallbackService,
  ) {}

  @Get('who')
  async who(): Promise<object> {
    const { value, receipt } = await this.fallback.withReceipt(() => this.visitor.whoAmI());
    allHealthyAnswered.arrive();
    const isAlwaysTheCaller = this.visitor.seen.every((each) => each === this.visitor);
    return {
      token: value,
      isAlwaysTheCaller,
      candidatesRun: this.visitor.seen.length,
      ...(receipt !== undefined && {
        chain: receipt.chain,
        servedBy: receipt.servedBy,
        degraded: receipt.degraded,
        failedOver: receipt.failedOver,
      }),
    };
  }
}

describe.each(PLATFORMS)("B03: the first request's object is used for ever after (%s)", (platform) => {
  afterEach(closeApps);

  it('B03: each of 50 overlapping requests is answered by its own instance, and all share one health', async () => {
    allArrived = new Barrier(REQUESTS);
    allHealthyAnswered = new Barrier(REQUESTS / 2);
    errors = [];
    const { get, health } = await startServer(platform, { providers: [Visitor], controllers: [WhoController] });

    const numbers = Array.from({ length: REQUESTS }, (_, place) => place + 1);
    const answers = await Promise.all(numbers.map((number) => get('/who', { 'x-token': `token-${number}` })));

    for (const [place, answer] of answers.entries()) {
      const number = place + 1;
      const isOdd = number % 2 === 1;
      expect(answer.status).toBe(200);
      expect(answer.headers.get('degraded')).toBeNull();
      expect(answer.json()).toEqual({
        token: `token-${number}`,
        isAlwaysTheCaller: true,
        candidatesRun: isOdd ? 1 : 2,
        chain: 'Visitor.whoAmI',
        servedBy: isOdd ? 'whoAmI' : 'spare',
        degraded: false,
        failedOver: !isOdd,
      });
    }

    // Nothing failed but what was made to fail: no private field was looked for on a foreign object.
    const expected = numbers.filter((number) => number % 2 === 0).map((number) => `A is down for token-${number}`);
    expect(errors.map((error) => (error as Error).message).sort()).toEqual(expected.sort());

    const snapshot = health.snapshot();
    expect(snapshot.map(({ chain }) => chain)).toEqual(['Visitor.whoAmI']);
    expect(snapshot[0]!.candidates).toMatchObject([
      { candidate: 'whoAmI', state: 'closed', counts: { ok: 25, transient: 25 }, consecutiveFailures: 25 },
      { candidate: 'spare', state: 'closed', counts: { ok: 25 }, consecutiveFailures: 0 },
    ]);
  });
});
