/** Callers who do not wait for the answer of a handler behind the interceptor. */
import { connect } from 'node:net';
import { Controller, Get, UseInterceptors } from '@nestjs/common';
import type { NestInterceptor, Type } from '@nestjs/common';
import { Observable } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AttemptSignal, ClientDisconnectedError, FallbackChain, FallbackInterceptor } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { ask as get, Script, serve } from './route.js';

describe.each(platforms)('$name: callers who leave', (platform) => {
  afterEach(closeAll);

  const waiting = () => {
    const script = new Script();
    const [begun, aborted] = [gate(), gate<unknown>()];
    class Waiting {
      async read(_id: string, signal?: AbortSignal): Promise<string> {
        signal!.addEventListener('abort', () => aborted.open(signal!.reason), { once: true });
        begun.open();
        return new Promise(() => {});
      }

      async backup(): Promise<string> {
        script.seen.push('backup');
        return 'backup';
      }
    }
    return { script, begun, aborted, Waiting: Waiting as Type<Waiting> };
  };
  const decorated = (Waiting: Type, outer: unknown[]) => {
    const descriptor = (): PropertyDescriptor => Object.getOwnPropertyDescriptor(Waiting.prototype, 'read')!;
    AttemptSignal()(Waiting.prototype as object, 'read', 1);
    FallbackChain(['backup' as never], { name: 'waiting' })(Waiting.prototype as object, 'read', descriptor() as never);
    Get()(Waiting.prototype as object, 'read', descriptor());
    UseInterceptors(...(outer as Type<NestInterceptor>[]), FallbackInterceptor)(Waiting);
    Controller('waiting')(Waiting);
    return Waiting;
  };

  it('a client: the call ends, nothing further runs, nobody is to blame', async () => {
    const { script, begun, aborted, Waiting } = waiting();
    const { port, events, health } = await serve(platform, script, {
      parts: { controllers: [decorated(Waiting, [])] },
    });
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET /waiting HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await begun.opened;
    socket.destroy();
    expect(await aborted.opened).toBeInstanceOf(ClientDisconnectedError);
    expect(events.map(({ name }) => name)).toEqual(['attempt.settled', 'call.stopped']);
    expect(script.seen).toEqual([]);
    expect(health.snapshot('waiting')).toMatchObject({ status: 'up' });
  });

  it('an outer interceptor that unsubscribes', async () => {
    const { script, begun, aborted, Waiting } = waiting();
    const leave = gate();
    const outer: NestInterceptor = {
      intercept: (_context, next) =>
        new Observable((subscriber) => {
          const subscription = next.handle().subscribe();
          const leaveNow = (): void => {
            subscription.unsubscribe();
            subscriber.next('left');
            subscriber.complete();
          };
          void leave.opened.then(leaveNow);
        }),
    };
    const { url, events } = await serve(platform, script, { parts: { controllers: [decorated(Waiting, [outer])] } });
    const answer = get(`${url}/waiting`);
    await begun.opened;
    leave.open();
    expect((await answer).text).toBe('left');
    await aborted.opened;
    await new Promise(setImmediate);
    expect(events.map(({ name, kind }) => [name, kind])).toEqual([
      ['attempt.settled', 'cancelled'],
      ['call.stopped', 'cancelled'],
    ]);
    expect(script.seen).toEqual([]);
  });
});
