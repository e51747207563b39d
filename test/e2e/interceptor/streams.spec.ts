/** Observables of handlers: next.handle() is candidate 0 of the stream, which commits on its first element. */
import { BadRequestException, Controller, Sse } from '@nestjs/common';
import type { MessageEvent, NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EMPTY, NEVER, Observable, concat, finalize, map, of, throwError } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackInterceptor } from '../../../lib/index.js';
import type { ChainOptions } from '../../../lib/index.js';
import { gate, members } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';
import { ask as get, Script, serve } from './route.js';

const broken = throwError(() => new Error('down'));
const STREAM = { stream: 'observable' } as const satisfies ChainOptions;

class StreamScript extends Script {
  override body: (id: string) => unknown = (id) => of(`${id} 1`, `${id} 2`);
  override backup: (id: string) => unknown = (id) => of(`backup ${id}`);
}

describe.each(platforms)('$name: a handler that gives an Observable', (platform) => {
  afterEach(closeAll);

  const start = (script: Script, parts: Parameters<typeof serve>[2] = {}) =>
    serve(platform, script, { ...parts, options: { ...STREAM, ...parts.options } });

  it('answers with what inner interceptors made of its elements', async () => {
    const script = new StreamScript();
    const { ask, counts, events } = await start(script, { fallback: { http: { receipt: 'always' } } });
    const { text, headers } = await ask();
    expect(text).toBe('mapped <1> 2');
    expect(script.seen).toEqual(['inner', 'pipe', 'body', 'finalized']);
    expect(counts()).toEqual([{ ok: 1 }, {}]);
    expect(events.map(({ name }) => name)).toEqual(['stream.committed', 'attempt.settled', 'call.served']);
    expect(members(headers.get('served-by'))).toEqual([{ name: 'route', by: 'read' }]);
  });

  it('and a promise of an Observable', async () => {
    const script = new StreamScript();
    script.body = async (id) => of(`${id} promised`);
    const { ask } = await start(script);
    expect((await ask()).text).toBe('mapped <1> promised');
  });

  it('falls back before its first element, when all of candidate 0 is torn down', async () => {
    const script = new StreamScript();
    script.body = () => concat(EMPTY, broken).pipe(finalize(() => script.seen.push('torn down')));
    const { ask, counts } = await start(script);
    expect((await ask()).text).toBe('backup <1>');
    expect(script.seen).toEqual(['inner', 'pipe', 'body', 'finalized', 'torn down', 'backup']);
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it('takes the failure of inner mapping for candidate 0 its own', async () => {
    const script = new StreamScript();
    script.inner = (_context, next) =>
      next.handle().pipe(
        map(() => {
          throw new Error('no mapping');
        }),
      );
    const { ask, counts } = await start(script);
    expect((await ask()).text).toBe('backup <1>');
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it('splices nothing after its first element', async () => {
    const script = new StreamScript();
    script.body = (id) => concat(of(id), broken);
    const { ask, counts } = await start(script);
    expect((await ask()).status).toBe(500);
    expect(script.seen).not.toContain('backup');
    expect(counts()).toEqual([{ transient: 1 }, {}]);
  });

  it('leaves alone what fails before the handler is reached', async () => {
    const script = new StreamScript();
    script.pipe = () => {
      throw new BadRequestException();
    };
    const { ask, counts, events } = await start(script);
    expect((await ask()).status).toBe(400);
    expect([counts(), events]).toEqual([[{}, {}], []]);
  });

  it('is passed over while its circuit is open: others get the bound arguments', async () => {
    const script = new StreamScript();
    const { ask, counts, health } = await start(script);
    health.isolate('route', 'read');
    expect((await ask()).text).toBe('backup <1>');
    expect(script.seen).toEqual(['inner', 'pipe', 'finalized', 'backup']);
    expect(counts()).toEqual([{ isolated: 1 }, { ok: 1 }]);
  });

  it('is retried with everything behind the interceptor', async () => {
    const script = new StreamScript();
    let tries = 0;
    script.body = (id) => (++tries < 2 ? broken : of(id));
    const { ask, counts } = await start(script, { options: { primary: { retries: 1 } } });
    expect((await ask()).text).toBe('mapped <1>');
    expect(script.seen.filter((each) => each === 'pipe')).toHaveLength(2);
    expect(counts()).toEqual([{ ok: 1 }, {}]);
  });

  it('is unsubscribed at its timeout, through all inner interceptors', async () => {
    const clock = new TestClock();
    const script = new StreamScript();
    const begun = gate();
    script.body = () =>
      new Observable((subscriber) => {
        subscriber.add(() => script.seen.push('torn down'));
        begun.open();
      });
    const { ask, counts } = await start(script, { fallback: { clock }, options: { primary: { timeout: 100 } } });
    const answer = ask();
    await begun.opened;
    await clock.advance(100);
    expect((await answer).text).toBe('backup <1>');
    expect(script.seen.slice(2).sort()).toEqual(['backup', 'body', 'finalized', 'torn down']);
    expect(script.seen.at(-1)).toBe('backup');
    expect(counts()).toEqual([{ timeout: 1 }, { ok: 1 }]);
  });

  it('an empty one is no 500', async () => {
    const script = new StreamScript();
    script.body = () => EMPTY;
    const { ask, counts } = await start(script);
    expect(await ask()).toMatchObject({ status: 200, text: '' });
    expect(counts()).toEqual([{ ok: 1 }, {}]);
  });

  it('an empty one is worth going on where onEmpty says so', async () => {
    const script = new StreamScript();
    script.body = () => EMPTY;
    const { ask } = await start(script, { options: { onEmpty: 'continue' } });
    expect((await ask()).text).toBe('backup <1>');
  });

  it('a substitute is marked and sent', async () => {
    const script = new StreamScript();
    script.body = () => broken;
    const { ask } = await start(script, { candidates: [], degraded: { substitute: ['none'], mark: 'receipt' } });
    const { text, headers } = await ask();
    expect(text).toBe('none');
    expect(members(headers.get('degraded'))).toMatchObject([{ name: 'route', source: 'static' }]);
  });

  it.each([
    ['before', () => NEVER, 'cancelled'],
    ['after', (id: string) => concat(of(id), NEVER), 'ok'],
  ] as const)('a consumer who leaves %s the commit reaches the source at once', async (_when, body, kind) => {
    const script = new StreamScript();
    const [begun, ended] = [gate(), gate()];
    script.body = (id) =>
      new Observable((subscriber) => {
        subscriber.add(body(id).subscribe(subscriber));
        subscriber.add(() => ended.open());
        begun.open();
      });
    const outer: NestInterceptor = {
      intercept: async (_context, next) => {
        const subscription = next.handle().subscribe();
        await begun.opened;
        subscription.unsubscribe();
        await ended.opened;
        return of('left');
      },
    };
    const { ask, counts } = await start(script, { interceptors: [outer, FallbackInterceptor] });
    expect((await ask()).text).toBe('left');
    expect(counts()).toEqual([{ [kind]: 1 }, {}]);
    expect(script.seen).not.toContain('backup');
  });

  // Before Nest 12 start-up refuses such a route.
  it('leaves an async iterable to the method', async () => {
    if (process.env.NEST === '11') return;
    const script = new StreamScript();
    const seen: unknown[] = [];
    script.inner = (_context, next) =>
      next.handle().pipe(
        map(async (iterable) => {
          for await (const element of iterable as AsyncIterable<unknown>) seen.push(element);
          return seen.join();
        }),
        (source) => source.pipe(map((text) => text)),
      );
    script.body = () => broken;
    script.backup = async function* (id) {
      yield `one ${id}`;
      yield `two ${id}`;
    };
    const { ask, counts } = await start(script, { options: { stream: 'async-iterable' } });
    await ask();
    expect(seen).toEqual(['one <1>', 'two <1>']);
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it('leaves server-sent events to the method', async () => {
    let bodies = 0;
    @Controller('events')
    class Events {
      @Sse()
      @FallbackChain(['backup'], { name: 'events' })
      read(): Observable<MessageEvent> {
        bodies++;
        return broken;
      }

      backup(): Observable<MessageEvent> {
        return of({ data: 'one' }, { data: 'two' });
      }
    }
    const { url, health } = await serve(platform, new Script(), {
      interceptors: [],
      parts: { controllers: [Events], providers: [{ provide: APP_INTERCEPTOR, useClass: FallbackInterceptor }] },
    });
    const { text } = await get(`${url}/events`);
    expect(text.match(/data: .*/g)).toEqual(['data: one', 'data: two']);
    expect(bodies).toBe(1);
    expect(health.snapshot('events').candidates.map(({ counts }) => counts)).toEqual([{ transient: 1 }, { ok: 1 }]);
  });
});
