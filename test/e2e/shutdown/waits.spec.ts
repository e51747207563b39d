import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';

import { Observable } from 'rxjs';
import { AttemptSignal, Degraded, Fallback, FallbackChain, ShuttingDownError, from } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { Fate } from '../../support/desk.js';
import { closeApps, settledOf, startApp } from '../../support/nest-app.js';
import { unhandledDuring } from '../../support/rejections.js';
import { TestClock, settle } from '../../support/test-clock.js';

const DRAIN = 200;
const NO_ANSWER = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
const never = <T>(): Promise<T> => new Promise(() => {});

/** What the test lets happen, and what did. */
const log = { subscriptions: 0, made: 0 };

@Injectable()
class Inner {
  readonly signals: AbortSignal[] = [];
  isDown = true;

  @Fallback('spare', { name: 'inner' })
  async read(@AttemptSignal() signal?: AbortSignal): Promise<string> {
    this.signals.push(signal!);
    return this.isDown ? never() : 'inner';
  }

  async spare(): Promise<string> {
    return 'inner spare';
  }
}

@Injectable()
class Waiting {
  spares = 0;
  readonly fail = gate();

  @Fallback('spare', { name: 'backoff', retries: 50 })
  async backoff(): Promise<string> {
    throw NO_ANSWER;
  }

  @Fallback('spare', { name: 'supports', supports: () => never<boolean>() })
  async supports(): Promise<string> {
    return 'answer';
  }

  @Fallback('spare', { name: 'assess', assess: () => never<undefined>() })
  async assess(): Promise<string> {
    return 'answer';
  }

  @Fallback('spare', { name: 'classify', classify: () => never<undefined>() })
  async classify(): Promise<string> {
    throw NO_ANSWER;
  }

  @FallbackChain([], { name: 'substitute' })
  @Degraded({ substitute: () => (log.made++, never<string>()), mark: 'receipt' })
  async substitute(): Promise<string> {
    throw NO_ANSWER;
  }

  @Fallback('silent', { name: 'second' })
  async second(): Promise<string> {
    throw NO_ANSWER;
  }

  @FallbackChain([{ name: 'source', run: (): Observable<string> => source() }], { name: 'subscribed' })
  async subscribed(): Promise<string> {
    throw NO_ANSWER;
  }

  @Fallback(from(Inner, 'read'), { name: 'nested' })
  async nested(): Promise<string> {
    await this.fail.opened;
    throw NO_ANSWER;
  }

  async silent(): Promise<string> {
    return never();
  }

  async spare(): Promise<string> {
    this.spares++;
    return 'spare';
  }
}

function source(): Observable<string> {
  return new Observable(() => {
    log.subscriptions++;
    return () => log.subscriptions--;
  });
}

async function open() {
  const clock = new TestClock();
  const started = await startApp({ providers: [Waiting, Inner], options: { clock, drain: DRAIN } });
  return { ...started, clock, waiting: started.app.get(Waiting), inner: started.app.get(Inner) };
}

type Method = 'backoff' | 'supports' | 'assess' | 'classify' | 'substitute' | 'second' | 'subscribed';

describe('B26: whatever a call waits for when the drain is over', () => {
  afterEach(closeApps);

  it.each<[Method, string, readonly string[]]>([
    ['backoff', 'its next try', ['cancelled']],
    ['supports', 'what its candidate supports', []],
    ['assess', 'what its answer is worth', ['cancelled']],
    ['classify', 'what its error means', ['cancelled']],
    ['substitute', 'its substitute', ['transient']],
    ['second', 'its second candidate', ['transient', 'cancelled']],
    ['subscribed', 'an Observable', ['transient', 'cancelled']],
  ])('B26: %s: a call that waits for %s ends', async (method, _what, kinds) => {
    const { app, clock, events, waiting } = await open();
    const call = new Fate(waiting[method]());
    await clock.advance(1);
    const unhandled = await unhandledDuring(async () => {
      const closing = app.close();
      await clock.advance(DRAIN - 1);
      expect(call.isSettled).toBe(false);
      await clock.advance(1);
      await closing;
    });
    expect(unhandled).toEqual([]);
    expect(call.error).toBeInstanceOf(ShuttingDownError);
    expect(call.receipt!.attempts.map(({ kind }) => kind)).toEqual(kinds);
    expect(events.filter(({ name }) => name.startsWith('call.'))).toMatchObject([
      { name: 'call.stopped', chain: method, kind: 'cancelled' },
    ]);
    expect(events.filter(({ name }) => name === 'hook.failed')).toEqual([]);
    expect([waiting.spares, log.subscriptions, clock.timers]).toEqual([0, 0, 0]);
  });

  it('B26: a chain that begins as a candidate of a call in flight runs, and ends with it', async () => {
    const { app, clock, events, inner, waiting } = await open();
    const call = new Fate(waiting.nested());
    await settle();
    const closing = app.close();
    waiting.fail.open();
    await clock.advance(DRAIN - 1);
    expect([call.isSettled, inner.signals.map(({ aborted }) => aborted)]).toEqual([false, [false]]);
    await clock.advance(1);
    await closing;
    expect(call.error).toBeInstanceOf(ShuttingDownError);
    expect(call.receipt).toMatchObject({ chain: 'nested', stoppedBy: 'cancelled' });
    expect(inner.signals[0]!.reason).toBeInstanceOf(ShuttingDownError);
    expect(settledOf(events, 'read')).toMatchObject([{ chain: 'inner', kind: 'cancelled' }]);
    expect(clock.timers).toBe(0);
  });

  it('B26: a chain that begins as a candidate of a call in flight may answer for it', async () => {
    const { clock, fallback, inner, waiting } = await open();
    inner.isDown = false;
    const call = new Fate(waiting.nested());
    await settle();
    const drained = new Fate(fallback.drain());
    await clock.advance(DRAIN - 1);
    waiting.fail.open();
    await settle();
    expect([call.value, drained.isSettled]).toEqual(['inner', true]);
  });
});
