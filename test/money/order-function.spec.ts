/** `order` as a function of the candidates' names and the call's arguments. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackService, createFallbackChain } from '../../lib/index.js';
import type { ChainOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

type Order = Exclude<ChainOptions['order'], string | undefined>;
const down = new Error('down');
const rungs = ['a', 'b', 'c'].map((name) => ({ name, plays: gives(name) }));
const reversed: Order = (names) => names.toReversed();
const unreadable = (): unknown => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};
const withOrder = (order: unknown, more: object = {}) => open({ rungs, options: { order: order as Order }, ...more });

describe('order: a function', () => {
  it('is asked for each call, with the names and the arguments', async () => {
    const heard: unknown[] = [];
    const ladder = await withOrder((names: readonly string[], args: unknown[]) => {
      heard.push([names, args.slice(0, 1)]);
      return args[0] === 'far' ? names.toReversed() : names;
    });
    expect((await ladder.call('far')).value).toBe('c');
    expect((await ladder.call('near')).value).toBe('a');
    expect(ladder.calls).toEqual({ a: 1, b: 0, c: 1 });
    const names = ['a', 'b', 'c'];
    expect(heard).toEqual([
      [names, ['far']],
      [names, ['near']],
    ]);
  });

  it('places are the declared ones; the first it names is no failover', async () => {
    const ladder = await withOrder(reversed);
    const call = await ladder.call();
    expect(call.receipt).toMatchObject({
      servedBy: 'c',
      failedOver: false,
      attempts: [{ candidate: 'c', index: 2, attempt: 0 }],
    });
  });

  it('goes on in its own order, also as the last resort', async () => {
    const ladder = await open({
      rungs: ['a', 'b', 'c'].map((name) => ({ name, plays: [fails(down), gives(`${name} again`)] })),
      options: { order: reversed, breaker: { threshold: 1 } },
    });
    const first = await ladder.call();
    expect((first.error as Error).message).toBe(
      'All 3 fallback candidates failed (c: transient; b: transient; a: transient)',
    );
    expect((await ladder.call()).value).toBe('c again');
  });

  it.each<[string, unknown]>([
    ['names a stranger', () => ['a', 'b', 'd']],
    ['drops one', () => ['c', 'b']],
    ['doubles one', () => ['c', 'c', 'b']],
    ['doubles one besides all', () => ['c', 'b', 'a', 'c']],
    ['gives nothing', () => undefined],
    ['gives no list', () => 'cba'],
    ['gives an iterable', () => new Set(['c', 'b', 'a'])],
    ['gives no names', () => [2, 1, 0]],
    ['throws', () => fails(down)],
    [
      'throws at once',
      () => {
        throw down;
      },
    ],
    ['is async', async () => ['c', 'b', 'a']],
    ['is async and rejects', () => Promise.reject(down)],
    ['gives a list that cannot be read', () => unreadable()],
  ])('that %s: the declared order, and one event', async (_what, order) => {
    const ladder = await withOrder(order);
    const call = await ladder.call();
    expect([call.value, call.attempts]).toEqual(['a', ['a:ok']]);
    expect(call.receipt!.failedOver).toBe(false);
    expect(ladder.eventsNamed('hook.failed')).toEqual([
      { name: 'hook.failed', chain: 'ladder', hook: 'order', at: expect.any(Number) },
    ]);
  });

  it('cannot change the names, nor the arguments of candidates', async () => {
    const chain = createFallbackChain<unknown>(
      [(_ctx, ...args: unknown[]) => ['first', ...args], (_ctx, ...args: unknown[]) => ['second', ...args]],
      {
        order: (names, args: unknown[]) => {
          args.push('more');
          return (names as string[]).reverse();
        },
      },
    );
    expect(await chain.run({ args: ['x'] })).toEqual(['second', 'x']);
    expect(await chain.run({ args: ['x'] })).toEqual(['second', 'x']);
    expect(chain.health().map(({ candidate }) => candidate)).toEqual(['candidate0', 'candidate1']);
  });

  it('a call that is over before it begins does not ask', async () => {
    const asked: unknown[] = [];
    const order: Order = (names) => {
      asked.push(names);
      return names;
    };
    const chain = createFallbackChain([() => 'a', () => 'b'], { order });
    const reason = new Error('gone');
    await expect(chain.run({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toEqual([]);
  });

  it('one that ends the call: no candidate is called', async () => {
    const caller = new AbortController();
    const ladder = await withOrder((names: readonly string[]) => {
      caller.abort(down);
      return names;
    });
    const call = ladder.begin('q', caller.signal);
    await ladder.clock.advance(0);
    expect(call.error).toBe(down);
    expect(ladder.calls).toEqual({ a: 0, b: 0, c: 0 });
  });

  it('holds for one call, over that of the chain', async () => {
    const chain = createFallbackChain([() => 'a', () => 'b'], { order: 'declared' });
    expect(await chain.run({ order: reversed })).toBe('b');
    expect(await chain.run()).toBe('a');
  });
});

const context = new AsyncLocalStorage<string>();

@Injectable()
class Host {
  preferred = 'other';

  @FallbackChain(['other'], {
    name: 'host',
    order(this: Host, names: readonly string[]) {
      return [this.preferred, ...names.filter((name) => name !== this.preferred)].map((name) =>
        context.getStore() === 'upside down' ? names[1 - names.indexOf(name)]! : name,
      );
    },
  })
  async load(_id: string): Promise<string> {
    return 'load';
  }

  async other(_id: string): Promise<string> {
    return 'other';
  }
}

describe('order: a function of a decorated method', () => {
  afterEach(closeAll);

  it("has the host's this and the caller's context", async () => {
    const app = await boot({ providers: [Host] });
    const host = app.get(Host);
    expect(await host.load('1')).toBe('other');
    expect(await context.run('upside down', () => host.load('1'))).toBe('load');
    host.preferred = 'load';
    expect(await host.load('1')).toBe('load');
  });

  it('by name, and with an order of one call', async () => {
    const app = await boot({ providers: [Host] });
    const fallback = app.get(FallbackService);
    expect(await fallback.run('host', ['1'])).toBe('other');
    expect(await fallback.run('host', ['1'], { order: 'declared' })).toBe('load');
  });
});
