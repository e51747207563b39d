/** F55: next.handle() is called, since arguments are bound inside it, and the handler does not run. */
import { lastValueFrom, of } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { gate } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { Script, serve } from './route.js';

const down = (): never => {
  throw new Error('down');
};
const OPENS_AT_ONCE = { threshold: 1, cooldown: '1h' } as const;

describe.each(platforms)('$name: candidate 0 is passed over', (platform) => {
  afterEach(closeAll);

  it('while its circuit is open: next.handle() is called, the body is not, others get the bound arguments', async () => {
    const script = new Script();
    script.body = down;
    const { ask, counts } = await serve(platform, script, { options: { breaker: OPENS_AT_ONCE } });
    await ask();
    script.seen.length = 0;
    expect((await ask('/2')).text).toBe('backup <2>');
    expect(script.seen).toEqual(['inner', 'pipe', 'finalized', 'backup']);
    expect(counts()).toEqual([{ transient: 1, cooling: 1 }, { ok: 2 }]);
  });

  it('and an inner interceptor that awaits is told, so that it can clean up', async () => {
    const script = new Script();
    const told = gate<unknown>();
    script.inner = async (_context, next) => {
      const value = await lastValueFrom(next.handle()).catch((error: unknown) => {
        told.open(error);
        throw error;
      });
      return of(value);
    };
    const { ask, health } = await serve(platform, script);
    health.isolate('route', 'read');
    expect((await ask()).text).toBe('backup <1>');
    expect(await told.opened).toBeInstanceOf(Error);
  });

  it('by supports, which is asked with the bound arguments', async () => {
    const script = new Script();
    const asked: unknown[] = [];
    const supports = (id: unknown): boolean => asked.push(id) > 1;
    const { ask, counts } = await serve(platform, script, { options: { primary: { supports: supports as never } } });
    expect((await ask()).text).toBe('backup <1>');
    expect((await ask()).text).toBe('mapped body <1>');
    expect(asked).toEqual(['<1>', '<1>']);
    expect(counts()).toEqual([{ unsupported: 1, ok: 1 }, { ok: 1 }]);
    expect(script.seen.filter((each) => each === 'body')).toHaveLength(1);
  });

  it('by a supports that thinks', async () => {
    const script = new Script();
    const answers = [false, true];
    const supports = async (): Promise<boolean> => answers.shift()!;
    const { ask } = await serve(platform, script, { options: { primary: { supports: supports as never } } });
    expect((await ask()).text).toBe('backup <1>');
    expect((await ask()).text).toBe('mapped body <1>');
  });

  it('and tried as the last resort, on the same way if nobody else was called', async () => {
    const script = new Script();
    script.body = down;
    script.backup = down;
    const { ask, health } = await serve(platform, script, { options: { breaker: OPENS_AT_ONCE } });
    await ask();
    script.seen.length = 0;
    script.body = (id) => `body ${id}`;
    expect((await ask()).text).toBe('mapped body <1>');
    expect(script.seen).toEqual(['inner', 'pipe', 'body', 'finalized']);
    expect(health.snapshot('route').candidates[0]).toMatchObject({ state: 'closed' });
  });

  it('and tried as the last resort, on a new way after others were called', async () => {
    const script = new Script();
    script.body = down;
    script.backup = down;
    const { ask, health } = await serve(platform, script, { options: { primary: { breaker: OPENS_AT_ONCE } } });
    await ask();
    script.seen.length = 0;
    script.body = (id) => `body ${id}`;
    expect((await ask()).text).toBe('mapped body <1>');
    expect(script.seen).toEqual(['inner', 'pipe', 'finalized', 'backup', 'inner', 'pipe', 'body', 'finalized']);
    expect(health.snapshot('route').candidates[0]).toMatchObject({ state: 'closed' });
  });

  it('and a substitute is served', async () => {
    const script = new Script();
    const { ask, health } = await serve(platform, script, {
      candidates: [],
      degraded: { substitute: (id: unknown) => `substitute for ${String(id)}`, mark: 'receipt' },
    });
    health.isolate('route', 'read');
    expect((await ask()).text).toBe('substitute for <1>');
    expect(script.seen).toEqual(['inner', 'pipe', 'finalized']);
  });
});
