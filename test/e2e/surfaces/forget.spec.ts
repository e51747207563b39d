/** FallbackService.forget. */
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AttemptSignal, Degraded, FallbackChain, FallbackService } from '../../../lib/index.js';
import type { Served } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';

@Injectable()
class Desk {
  isDown = false;

  @FallbackChain([], { name: 'desk' })
  async read(): Promise<string> {
    return 'read';
  }

  @Degraded({ lastKnownGood: { maxAge: '1h', refreshAfter: 1 }, mark: 'served' })
  async byArguments(id: string, @AttemptSignal() _signal?: AbortSignal): Promise<Served<string>> {
    return (this.isDown ? down() : `v-${id}`) as never;
  }

  @Degraded({ lastKnownGood: { maxAge: '1h', key: (id: string) => ['user', id] }, mark: 'served' })
  async byKey(id: string): Promise<Served<string>> {
    return (this.isDown ? down() : `k-${id}`) as never;
  }
}

const start = async (...providers: (typeof Desk)[]) => {
  const module = await boot({ providers: [Desk, ...providers] });
  return { module, desk: module.get(Desk), fallback: module.get(FallbackService) };
};

describe('FallbackService.forget', () => {
  afterEach(closeAll);

  it('without a key function the key is the list of arguments', async () => {
    const { desk, fallback } = await start();
    await desk.byArguments('1', new AbortController().signal);
    await desk.byArguments('2');
    desk.isDown = true;
    expect(await desk.byArguments('1')).toMatchObject({ value: 'v-1', source: 'last-known-good' });
    await fallback.forget('Desk.byArguments', ['1']);
    await expect(desk.byArguments('1')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    expect(await desk.byArguments('2')).toMatchObject({ value: 'v-2' });
  });

  it('with one it is what that gives', async () => {
    const { desk, fallback } = await start();
    await desk.byKey('1');
    await desk.byKey('2');
    desk.isDown = true;
    await fallback.forget('Desk.byKey', '1');
    expect(await desk.byKey('1')).toMatchObject({ value: 'k-1' });
    await fallback.forget('Desk.byKey', ['user', '1']);
    await expect(desk.byKey('1')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    expect(await desk.byKey('2')).toMatchObject({ value: 'k-2' });
  });

  it('what is answered later is remembered again', async () => {
    const { desk, fallback } = await start();
    await desk.byKey('1');
    await fallback.forget('Desk.byKey', ['user', '1']);
    await desk.byKey('1');
    desk.isDown = true;
    expect(await desk.byKey('1')).toMatchObject({ value: 'k-1' });
  });

  it('for every class that inherits the chain', async () => {
    @Injectable()
    class Branch extends Desk {}
    const { module, desk, fallback } = await start(Branch);
    const branch = module.get(Branch);
    for (const each of [desk, branch]) {
      await each.byKey('1');
      each.isDown = true;
    }
    await fallback.forget('Desk.byKey', ['user', '1']);
    for (const each of [desk, branch]) await expect(each.byKey('1')).rejects.toThrow('failed');
  });

  it.each<[string, string, unknown]>([
    ['a key that was never used', 'Desk.byKey', 'nobody'],
    ['a key that is none', 'Desk.byKey', undefined],
    ['arguments without a key', 'Desk.byArguments', [new Map()]],
    ['a chain that remembers nothing', 'desk', 'x'],
  ])('%s: there is nothing to forget', async (_what, chain, key) => {
    const { fallback } = await start();
    await expect(fallback.forget(chain, key)).resolves.toBeUndefined();
  });

  it.each(['1', undefined, { id: '1' }])('without a key function %p is no list of arguments', async (key) => {
    const { fallback } = await start();
    await expect(fallback.forget('Desk.byArguments', key)).rejects.toThrow(/give an array/);
  });
});
