import { Injectable, Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom, map, mergeMap, share, take, tap, toArray } from 'rxjs';
import type { Observable } from 'rxjs';
import { FALLBACK_EVENTS, Fallback, FallbackEvents, FallbackModule } from '../../lib/index.js';
import type { FallbackEvent } from '../../lib/index.js';
import { FallbackRuntime } from '../../lib/fallback.runtime.js';
import { RUNTIME } from '../../lib/fallback.constants.js';
import { boot, closeAll } from '../support/apps.js';
import type { Parts } from '../support/apps.js';
import { unhandledDuring } from '../support/rejections.js';
import { settle } from '../support/test-clock.js';

afterEach(closeAll);

@Injectable()
class Things {
  @Fallback('spare', { name: 'things', breaker: { threshold: 1 } })
  async load(isUp: boolean): Promise<string> {
    if (!isUp) throw new Error('down');
    return 'a';
  }

  async spare(_isUp: boolean): Promise<string> {
    return 'b';
  }
}

async function start(fallback: Parts['fallback'] = {}) {
  const app = await boot({ providers: [Things], fallback });
  const { events$ } = app.get(FallbackEvents);
  const { engine } = app.get<FallbackRuntime>(RUNTIME);
  return { app, events$, engine, things: app.get(Things) };
}

const HEALTHY = ['attempt.settled', 'call.served'];
const FAILED_OVER = ['circuit.opened', 'attempt.settled', 'attempt.settled', 'call.served'];

/** The names of what a subscriber hears, as it hears it. */
function heard(events$: Observable<FallbackEvent>) {
  const names: string[] = [];
  const subscription = events$.subscribe(({ name }) => names.push(name));
  return { names, stop: () => subscription.unsubscribe() };
}

describe('FallbackEvents', () => {
  it('is injected by its class and by its token, from any module', async () => {
    @Injectable()
    class Watcher {
      constructor(readonly events: FallbackEvents) {}
    }
    const app = await boot({ imports: [{ module: class Feature {}, providers: [Watcher], exports: [Watcher] }] });
    const events = app.get(FallbackEvents);
    expect(app.get(Watcher).events).toBe(events);
    expect(app.get(FALLBACK_EVENTS)).toBe(events);
    expect(FALLBACK_EVENTS).toBe(Symbol.for('nestjs-fallback:events'));
    expect(Reflect.getMetadata('exports', FallbackModule)).toEqual(
      expect.arrayContaining([FallbackEvents, FALLBACK_EVENTS]),
    );
  });

  it('a listener may come and go; the engine is observed only meanwhile', async () => {
    const { events$, engine, things } = await start();
    expect(engine.isObserved).toBe(false);
    await things.load(true);
    const first = heard(events$);
    expect(engine.isObserved).toBe(true);
    await things.load(true);
    const second = heard(events$);
    await things.load(false);
    first.stop();
    first.stop();
    expect(engine.isObserved).toBe(true);
    await things.load(false);
    second.stop();
    expect(engine.isObserved).toBe(false);
    await things.load(true);
    expect(first.names).toEqual([...HEALTHY, ...FAILED_OVER]);
    expect(second.names).toEqual([...FAILED_OVER, 'attempt.skipped', 'attempt.settled', 'call.served']);
  });

  it('observers of the options are heard all along', async () => {
    const observer = jest.fn();
    const { events$, engine, things } = await start({ observers: [observer] });
    heard(events$).stop();
    expect(engine.isObserved).toBe(true);
    await things.load(true);
    expect(observer).toHaveBeenCalledTimes(2);
  });

  it('one that comes or goes while an event is told changes nothing for the others', async () => {
    const { events$, things } = await start();
    const inner: string[] = [];
    const first = events$.pipe(take(1)).subscribe(() => {
      events$.subscribe(({ name }) => inner.push(name));
      last.unsubscribe();
    });
    const lastHeard: string[] = [];
    const last = events$.subscribe(({ name }) => lastHeard.push(name));
    await things.load(true);
    expect(first.closed).toBe(true);
    expect(inner).toEqual(['call.served']);
    expect(lastHeard).toEqual([]);
  });

  it('events are frozen where several listen, plain where one does, and always plain JSON', async () => {
    const { events$, things } = await start();
    const all: FallbackEvent[] = [];
    events$.subscribe((event) => all.push(event));
    const change = jest.fn((event: FallbackEvent) => Object.assign(event, { chain: 'mine' }));
    events$.subscribe(change);
    events$.subscribe((event) => all.push(event));
    await things.load(false);
    expect(all).toHaveLength(2 * FAILED_OVER.length);
    expect(new Set(all.map(({ chain }) => chain))).toEqual(new Set(['things']));
    for (const event of all) expect(JSON.parse(JSON.stringify(event))).toStrictEqual(event);
  });

  it('completes when the application has shut down, and for those who come later at once', async () => {
    const { app, events$, engine, things } = await start();
    const complete = jest.fn();
    events$.subscribe({ complete });
    const all = firstValueFrom(events$.pipe(toArray()));
    await things.load(true);
    await app.close();
    expect(complete).toHaveBeenCalledTimes(1);
    expect((await all).map(({ name }) => name)).toEqual(HEALTHY);
    expect(engine.isObserved).toBe(false);
    const late = jest.fn();
    events$.subscribe({ complete: late });
    expect(late).toHaveBeenCalledTimes(1);
    expect(engine.isObserved).toBe(false);
  });

  it('two applications share nothing', async () => {
    const [one, other] = [await start(), await start()];
    const { names } = heard(one.events$);
    await other.things.load(true);
    expect(names).toEqual([]);
    expect(other.engine.isObserved).toBe(false);
  });

  it('works with the operators and consumers of RxJS', async () => {
    const { events$, things } = await start();
    const opened = firstValueFrom(events$.pipe(filter(({ name }) => name === 'circuit.opened')));
    const shared = events$.pipe(share());
    const [one, other] = [heard(shared), heard(shared)];
    await things.load(false);
    expect(await opened).toMatchObject({ chain: 'things', candidate: 'load', kind: 'transient' });
    expect([one.names, other.names]).toEqual([FAILED_OVER, FAILED_OVER]);
  });
});

describe('B23 a subscriber that fails', () => {
  const boom = new Error('the subscriber is broken');
  const fails = (): never => {
    throw boom;
  };
  const rejects = async (): Promise<never> => {
    throw boom;
  };

  const name = 'then' as const;
  const hostile = Object.defineProperty({}, name, { get: fails });

  type Subscribe = (events$: Observable<FallbackEvent>) => unknown;
  const kinds: readonly (readonly [string, Subscribe])[] = [
    ['throws', (events$) => events$.subscribe(fails)],
    ['throws, as an object', (events$) => events$.subscribe({ next: fails })],
    ['rejects', (events$) => events$.subscribe(rejects)],
    ['rejects, as an object', (events$) => events$.subscribe({ next: rejects })],
    ['gives a hostile thenable', (events$) => events$.subscribe(() => hostile)],
    ['throws behind an operator', (events$) => events$.pipe(filter(() => true)).subscribe(fails)],
    ['rejects behind operators', (events$) => events$.pipe(map(String), share()).subscribe(rejects)],
    ['has an operator that throws', (events$) => events$.pipe(map(fails)).subscribe()],
    ['has an operator that rejects', (events$) => events$.pipe(mergeMap(rejects)).subscribe(() => {})],
    ['has an error handler that throws', (events$) => events$.pipe(map(fails)).subscribe({ error: fails })],
    ['throws on completion', (events$) => events$.pipe(take(1)).subscribe({ complete: fails })],
    ['never settles', (events$) => events$.subscribe(() => new Promise(() => {}))],
    ['throws when it leaves', (events$) => events$.pipe(take(1), tap({ finalize: fails })).subscribe()],
  ];

  /** Nothing of these ever comes out of RxJS. */
  const QUIET = ['never settles', 'throws when it leaves'];

  it.each(kinds)('%s: calls and other subscribers are as without it', async (how, subscribe) => {
    const uncaught = jest.fn();
    process.on('uncaughtException', uncaught);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const { app, events$, things } = await start();
    const before = heard(events$);
    const unhandled = await unhandledDuring(async () => {
      subscribe(events$);
      const after = heard(events$);
      expect(await things.load(true)).toBe('a');
      expect(await things.load(false)).toBe('b');
      await settle();
      expect(before.names).toEqual([...HEALTHY, ...FAILED_OVER]);
      expect(after.names).toEqual(before.names);
      // RxJS reports by a timer.
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    });
    process.off('uncaughtException', uncaught);
    expect(unhandled).toEqual([]);
    expect(uncaught).not.toHaveBeenCalled();
    await app.close();
    const line = 'An observer of fallback events failed; its failures are ignored from now on (Error)';
    expect(warn.mock.calls).toEqual(QUIET.includes(how) ? [] : [[line]]);
    warn.mockRestore();
  });
});
