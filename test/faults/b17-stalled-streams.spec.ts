import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { Attempt, AttemptSignal, FallbackChain } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { unhandledDuring } from '../support/rejections.js';
import { TestClock, settle } from '../support/test-clock.js';

/** What real generators were seen doing; candidates are chosen by name. */
class Seen {
  readonly started: string[] = [];
  readonly finalised: string[] = [];
  readonly returned: string[] = [];
}
let seen = new Seen();

/** Nothing comes until its signal is aborted, then it ends, failing. */
async function* attentive(signal: AbortSignal): AsyncGenerator<string> {
  seen.started.push('A');
  try {
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    yield 'never';
  } finally {
    seen.finalised.push('A');
  }
}

/** Elements, then silence for ever, whatever its signal says. Its `return()` is real, so it never settles. */
function deaf(name: string, ...elements: string[]): AsyncGenerator<string> {
  const generator = (async function* () {
    seen.started.push(name);
    yield* elements;
    await new Promise(() => {});
  })();
  const back = generator.return.bind(generator);
  generator.return = (value) => {
    seen.returned.push(name);
    return back(value);
  };
  return generator;
}

@Injectable()
class Stalled {
  @FallbackChain([{ method: 'b' }], { name: 'deaf', timeout: 20 })
  async *afterDeaf(@Attempt() _ctx?: AttemptContext, @AttemptSignal() _signal?: AbortSignal): AsyncGenerator<string> {
    yield* deaf('A2');
  }

  @FallbackChain([{ method: 'b' }], { name: 'deafObservable', timeout: 20, stream: 'observable' })
  observable(): Observable<string> {
    return deaf('A2') as unknown as Observable<string>;
  }

  @FallbackChain([{ method: 'b' }], { name: 'attentive', timeout: 20 })
  async *afterAttentive(@AttemptSignal() signal?: AbortSignal): AsyncGenerator<string> {
    yield* attentive(signal!);
  }

  b(@AttemptSignal() signal?: AbortSignal): AsyncGenerator<string> {
    this.signal = signal;
    return deaf('B', 'b1');
  }

  signal: AbortSignal | undefined;
}

afterEach(closeApps);

async function open() {
  seen = new Seen();
  const clock = new TestClock();
  const { app } = await startApp({ providers: [Stalled], options: { clock } });
  return { clock, host: app.get(Stalled) };
}

describe('B17: nobody can get off a stalled stream', () => {
  it('B17 (a) (b) (d) with A2 first, async iterable', async () => {
    const { clock, host } = await open();
    const unhandled = await unhandledDuring(async () => {
      const stream = host.afterDeaf();
      const first = stream.next();
      await clock.advance(19);
      expect(seen.started).toEqual(['A2']);
      await clock.advance(1);
      expect(seen.started).toEqual(['A2', 'B']);
      await expect(first).resolves.toEqual({ value: 'b1', done: false });

      const pending = stream.next();
      await settle();
      const returned = stream.return(undefined);
      await settle();
      await expect(Promise.race([returned, Promise.resolve('hangs')])).resolves.toEqual({
        value: undefined,
        done: true,
      });
      await expect(Promise.race([pending, Promise.resolve('hangs')])).resolves.toEqual({
        value: undefined,
        done: true,
      });
      expect(host.signal?.aborted).toBe(true);
      expect(seen.returned).toEqual(['B']);
    });
    expect(unhandled).toEqual([]);
  });

  it('B17 (a) (b) (d) with A2 first, Observable', async () => {
    const { clock, host } = await open();
    const unhandled = await unhandledDuring(async () => {
      const elements: string[] = [];
      const subscription = host.observable().subscribe((element) => elements.push(element));
      await clock.advance(20);
      expect(seen.started).toEqual(['A2', 'B']);
      expect(elements).toEqual(['b1']);
      subscription.unsubscribe();
      expect(host.signal?.aborted).toBe(true);
      expect(seen.returned).toEqual(['A2', 'B']);
      await clock.advance(1_000);
      expect(elements).toEqual(['b1']);
    });
    expect(unhandled).toEqual([]);
  });

  it('B17 (c) with A: its finally has run at the abort, once, and its rejection is nobody’s', async () => {
    const { clock, host } = await open();
    const unhandled = await unhandledDuring(async () => {
      const stream = host.afterAttentive();
      const first = stream.next();
      await clock.advance(20);
      expect(seen.finalised).toEqual(['A']);
      await expect(first).resolves.toEqual({ value: 'b1', done: false });
      void stream.return(undefined);
      await clock.advance(1_000);
    });
    expect(seen.finalised).toEqual(['A']);
    expect(unhandled).toEqual([]);
  });

  it('B17 (e) return() before any next(): no candidate is invoked', async () => {
    const { host } = await open();
    const stream = host.afterDeaf();
    await expect(stream.return(undefined)).resolves.toEqual({ value: undefined, done: true });
    await settle();
    expect(seen.started).toEqual([]);
  });
});
