import { describe, expect, it } from '@jest/globals';
import { Observable, Subject } from 'rxjs';
import type { Subscription } from 'rxjs';
import { DECORATED, openStreams } from '../support/stream-faces.js';
import type { StreamSetup } from '../support/stream-faces.js';
import { fail, inTurn, stall, wait } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { AB, down } from './commit-cases.js';

const b = { name: 'b', plays: ['b1'] };

const open = async (setup: StreamSetup) => {
  const streams = await openStreams('Observable', setup);
  return { streams, stream: streams.stream() as Observable<unknown> };
};

describe('an Observable and who reads it', () => {
  it('what is emitted while it is subscribed arrives while it is subscribed', async () => {
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: [1, 2, 3], form: 'observable' }, b] });
    const seen: unknown[] = [];
    stream.subscribe({ next: (element) => seen.push(element), complete: () => seen.push('complete') });
    expect(seen).toEqual([1, 2, 3, 'complete']);
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('F49 the order: subscribe a, error, teardown a, subscribe b', async () => {
    const { streams, stream } = await open({
      candidates: [
        { name: 'a', plays: () => order('a', wait(5), fail(down)) },
        { name: 'b', plays: () => order('b', 'b1') },
      ],
    });
    const seen: string[] = [];
    const order = (name: string, ...script: unknown[]) => {
      const source = streams.stage.source(name, script, 'observable') as Observable<unknown>;
      return new Observable<unknown>((subscriber) => {
        seen.push(`subscribe ${name}`);
        subscriber.add(() => seen.push(`teardown ${name}`));
        return source.subscribe({
          next: (element) => subscriber.next(element),
          error: (error: unknown) => {
            seen.push(`error ${name}`);
            subscriber.error(error);
          },
          complete: () => subscriber.complete(),
        });
      });
    };
    stream.subscribe();
    await streams.clock.advance(5);
    expect(seen).toEqual(['subscribe a', 'error a', 'teardown a', 'subscribe b', 'teardown b']);
  });

  it('F49 the same for an error within subscribe', async () => {
    const { streams, stream } = await open({
      candidates: [
        { name: 'a', plays: [fail(down)], form: 'observable' },
        { ...b, form: 'observable' },
      ],
    });
    stream.subscribe();
    await settle();
    expect(streams.stage.log).toEqual(AB);
  });

  it('F49 unsubscribed before any emission: a is torn down at once, b never subscribed', async () => {
    const { streams, stream } = await open({
      candidates: [{ name: 'a', plays: [wait(60), 'late'] }, b],
      form: 'observable',
    });
    const subscription = stream.subscribe();
    await streams.clock.advance(5);
    subscription.unsubscribe();
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
    await streams.clock.advance(100);
    expect(streams.stage.calls).toEqual({ a: 1 });
    expect(streams.attempts).toEqual(['a:cancelled']);
  });

  it('F49 unsubscribed within subscribe, before any emission', async () => {
    const { streams, stream } = await open({
      candidates: [
        {
          name: 'a',
          plays: () => {
            leaving.next();
            return streams.stage.source('a', ['a1'], 'observable');
          },
        },
        b,
      ],
    });
    const leaving = new Subject<void>();
    const seen: unknown[] = [];
    const subscriber = new Observable<unknown>((outer) => {
      leaving.subscribe(() => outer.complete());
      return stream.subscribe(outer);
    });
    subscriber.subscribe((element) => seen.push(element));
    await settle();
    expect(seen).toEqual([]);
    expect(streams.stage.calls).toEqual({ a: 1 });
    expect(streams.stage.log.filter((line) => line === 'a closed')).toHaveLength(
      streams.stage.log.filter((line) => line === 'a opened').length,
    );
  });

  it('a reader that unsubscribes inside next gets nothing more, also of a source that does not look', async () => {
    const deaf = {
      pipe: () => {},
      subscribe: (observer: { next(element: unknown): void }) => {
        for (const element of [1, 2, 3]) observer.next(element);
        return { unsubscribe: () => {} };
      },
    };
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: () => deaf }, b] });
    streams.stream = () => stream;
    const reader = await streams.read(0, { take: 2 });
    expect([reader.elements, reader.end]).toEqual([[1, 2], 'left']);
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('a source that emits when it is unsubscribed is not heard', async () => {
    const seen: unknown[] = [];
    const rude = {
      pipe: () => {},
      subscribe: (observer: { next(element: unknown): void; complete(): void; error(error: unknown): void }) => {
        observer.next('a1');
        return {
          unsubscribe: () => {
            observer.next('after');
            observer.error(down);
            observer.complete();
          },
        };
      },
    };
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: () => rude }, b] });
    const subscription = stream.subscribe({ next: (element) => seen.push(element), error: () => seen.push('error') });
    subscription.unsubscribe();
    await settle();
    expect(seen).toEqual(['a1']);
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('nor when it loses before the commit', async () => {
    const rude = {
      pipe: () => {},
      subscribe: (observer: { next(element: unknown): void; complete(): void }) => ({
        unsubscribe: () => {
          observer.next('after');
          observer.complete();
        },
      }),
    };
    for (const face of ['plain functions', ...DECORATED] as const) {
      const streams = await openStreams(face, {
        candidates: [{ name: 'a', plays: () => rude }, b],
        options: { timeout: 15 },
      });
      const reader = await streams.read(15);
      expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
      expect(streams.attempts).toEqual(['a:timeout', 'b:ok']);
    }
  });

  it('a reader that subscribes anew inside complete, and inside error', async () => {
    const { streams, stream } = await open({
      candidates: [{ name: 'a', plays: inTurn(['a1'], ['a2', fail(down)], ['a3']) }],
      form: 'observable',
    });
    const seen: unknown[] = [];
    const subscribe = (then: () => void): Subscription =>
      stream.subscribe({ next: (element) => seen.push(element), complete: then, error: then });
    subscribe(() => subscribe(() => subscribe(() => seen.push('over'))));
    await settle();
    expect(seen).toEqual(['a1', 'a2', 'a3', 'over']);
    expect(streams.attempts).toEqual(['a:ok', 'a:transient', 'a:ok']);
  });

  it('a reader that makes the source emit inside next', async () => {
    const subject = new Subject<number>();
    const { stream } = await open({ candidates: [{ name: 'a', plays: () => subject }, b] });
    const seen: unknown[] = [];
    stream.subscribe((element) => {
      seen.push(element);
      if (element === 1) subject.next(2);
      if (element === 2) subject.complete();
    });
    subject.next(1);
    expect(seen).toEqual([1, 2]);
    expect(subject.observed).toBe(false);
  });

  it('a hook that emits', async () => {
    const subject = new Subject<number>();
    const { streams, stream } = await open({
      candidates: [
        {
          name: 'a',
          plays: () => subject,
          accept: (element) => {
            if (element === 1) subject.next(2);
            return true;
          },
        },
        b,
      ],
    });
    const seen: unknown[] = [];
    stream.subscribe((element) => seen.push(element));
    subject.next(1);
    subject.next(3);
    await settle();
    expect(seen).toEqual([1, 2, 3]);
    subject.complete();
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('a ladder of many that all fail at once does not fill the stack', async () => {
    const candidates = Array.from({ length: 3_000 }, (_, nth) => ({
      name: `c${nth}`,
      plays: [fail(down)],
      form: 'observable' as const,
    }));
    const { stream } = await open({ candidates: [...candidates, b] });
    const seen: unknown[] = [];
    stream.subscribe((element) => seen.push(element));
    for (let round = 0; round < 3; round++) await settle();
    expect(seen).toEqual(['b1']);
  });

  it('many elements at once do not fill the stack', async () => {
    const many = Array.from({ length: 20_000 }, (_, nth) => nth);
    for (const face of ['plain functions', ...DECORATED] as const) {
      for (const form of ['observable', 'iterable'] as const) {
        const streams = await openStreams(face, { candidates: [{ name: 'a', plays: [...many, stall], form }] });
        const reader = await streams.read(0, { take: many.length });
        expect(reader.elements.length).toBe(many.length);
        expect(reader.end).toBe('left');
      }
    }
  });
});
