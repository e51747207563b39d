/** B25 (c) and (e): one decorated class in two applications of a process, and one that a factory builds. */
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain, FallbackService, createFallbackChain, from } from '../../lib/index.js';
import type { FallbackModuleOptions } from '../../lib/index.js';
import { down } from '../support/answers.js';
import { candidateIn, closeApps, startApp } from '../support/nest-app.js';
import { TestClock } from '../support/test-clock.js';

interface Answer {
  text: string;
  degraded?: boolean;
}

@Injectable()
class Mirror {
  async read(_id: string): Promise<Answer> {
    return { text: 'mirror' };
  }
}

@Injectable()
class Desk {
  isDown = false;
  calls = 0;

  @FallbackChain([from(Mirror, 'read')], { name: 'desk', timeout: '1s', breaker: { threshold: 1 } })
  async read(id: string): Promise<Answer> {
    this.calls++;
    return this.isDown ? down() : { text: `desk ${id}` };
  }

  @Degraded({ lastKnownGood: { maxAge: '1h' } })
  async alone(id: string): Promise<Answer> {
    return this.isDown ? down() : { text: `alone ${id}` };
  }
}

const functions = createFallbackChain<string>([() => down(), () => 'backup'], {
  name: 'functions',
  timeout: '1s',
  breaker: { threshold: 1 },
});

const start = async (options: FallbackModuleOptions) => {
  const started = await startApp({ providers: [Desk, Mirror], options: { chains: [functions], ...options } });
  return { ...started, desk: started.app.get(Desk) };
};

const stateOf = ({ health }: Awaited<ReturnType<typeof start>>) => candidateIn(health, 'desk', 'read').state;

describe('B25 (c) two applications in one process', () => {
  afterEach(closeApps);

  it('share no circuit, no options and no clock', async () => {
    const [clock, other] = [new TestClock(), new TestClock()];
    const one = await start({ clock });
    const two = await start({ clock: other, overrides: { desk: { breaker: { threshold: 3 } } } });
    one.desk.isDown = two.desk.isDown = true;
    expect(await one.desk.read('1')).toEqual({ text: 'mirror' });
    expect(await two.desk.read('1')).toEqual({ text: 'mirror' });
    expect([stateOf(one), stateOf(two)]).toEqual(['open', 'closed']);
    await one.desk.read('1');
    await two.desk.read('1');
    expect([one.desk.calls, two.desk.calls]).toEqual([1, 2]);
    await other.advance(5_000);
    expect(stateOf(one)).toBe('open');
    await clock.advance(5_000);
    expect(stateOf(one)).toBe('half-open');
  });

  it('share no store', async () => {
    const [one, two] = [await start({}), await start({})];
    await one.desk.alone('1');
    one.desk.isDown = two.desk.isDown = true;
    expect(await one.desk.alone('1')).toEqual({ text: 'alone 1', degraded: true });
    await expect(two.desk.alone('1')).rejects.toThrow('failed');
    await two.app.get(FallbackService).forget('Desk.alone', ['1']);
    expect(await one.desk.alone('1')).toEqual({ text: 'alone 1', degraded: true });
  });

  it('hear nothing of each other', async () => {
    const [one, two] = [await start({}), await start({})];
    one.desk.isDown = true;
    await one.desk.read('1');
    await one.fallback.run(functions);
    expect(one.events.length).toBeGreaterThan(0);
    expect(two.events).toEqual([]);
    expect(two.health.status()).toBe('up');
  });

  it('share no registered chain: each has its own memory of it, and it has one by itself', async () => {
    const [one, two] = [await start({}), await start({})];
    expect(await one.fallback.run<string>('functions')).toBe('backup');
    expect(candidateIn(one.health, 'functions', 'candidate0').state).toBe('open');
    expect(candidateIn(two.health, 'functions', 'candidate0').state).toBe('closed');
    expect(functions.health()[0]!.state).toBe('closed');
  });

  it.each(['one', 'two'] as const)('after one is closed the other works on: %s is closed', async (closed) => {
    const apps = { one: await start({}), two: await start({}) };
    const left = apps[closed === 'one' ? 'two' : 'one'];
    await apps[closed].app.close();
    expect(await left.desk.read('1')).toEqual({ text: 'desk 1' });
    left.desk.isDown = true;
    expect(await left.desk.read('1')).toEqual({ text: 'mirror' });
    expect(stateOf(left)).toBe('open');
    expect(left.events.map(({ name }) => name)).toContain('circuit.opened');
    expect(await left.fallback.run<string>(functions)).toBe('backup');
  });

  it('ten times one after the other, each begins anew', async () => {
    for (let n = 0; n < 10; n++) {
      const app = await start({});
      app.desk.isDown = true;
      expect(stateOf(app)).toBe('closed');
      await app.desk.read('1');
      expect(app.events.filter(({ name }) => name === 'call.served')).toHaveLength(1);
      await app.app.close();
    }
  });
});

describe('B25 (e) a class that a factory builds', () => {
  afterEach(closeApps);

  it.each([
    ['useFactory', { provide: Desk, useFactory: () => new Desk() }],
    ['an async useFactory', { provide: Desk, useFactory: async () => new Desk() }],
    ['useValue', { provide: Desk, useValue: new Desk() }],
    ['another token', { provide: 'DESK', useFactory: () => new Desk() }],
  ])('%s: is protected, watched and called by name', async (_way, provider) => {
    const { app, health, fallback } = await startApp({ providers: [provider, Mirror] });
    const desk = app.get<Desk>(provider.provide);
    desk.isDown = true;
    expect(await desk.read('1')).toEqual({ text: 'mirror' });
    expect(candidateIn(health, 'desk', 'read').state).toBe('open');
    expect(await fallback.run<Answer>('desk', ['2'])).toEqual({ text: 'mirror' });
  });
});
