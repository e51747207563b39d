/** Handlers behind FallbackInterceptor, whose candidate 0 is not the first in order, or too dear. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll, platforms } from '../support/apps.js';
import { Script, serve } from '../e2e/interceptor/route.js';

const down = (): never => {
  throw new Error('down');
};
const free = { method: 'backup', cost: 0 };

describe.each(platforms)('$name: a handler', (platform) => {
  afterEach(closeAll);

  it("order: 'cost': the cheaper one answers with the bound arguments, the body does not run", async () => {
    const script = new Script();
    const options = { order: 'cost', primary: { cost: 1 } } as const;
    const { ask, counts } = await serve(platform, script, { candidates: [free], options });
    expect((await ask()).text).toBe('backup <1>');
    expect(script.seen).toEqual(['inner', 'pipe', 'finalized', 'backup']);
    expect(counts()).toEqual([{}, { ok: 1 }]);
  });

  it("order: 'cost': when the cheaper one fails the body runs, through the inner interceptors", async () => {
    const script = new Script();
    script.backup = down;
    const options = { order: 'cost', primary: { cost: 1 } } as const;
    const { ask, counts } = await serve(platform, script, { candidates: [free], options });
    expect((await ask()).text).toBe('mapped body <1>');
    expect(script.seen.filter((each) => each === 'body')).toHaveLength(1);
    expect(counts()).toEqual([{ ok: 1 }, { transient: 1 }]);
  });

  it('budget: when the body is too dear, the free one answers', async () => {
    const script = new Script();
    const options = { budget: { limit: 1, per: '1h' }, primary: { cost: 1 } } as const;
    const { ask, counts } = await serve(platform, script, { candidates: [free], options });
    expect([(await ask('/1')).text, (await ask('/2')).text]).toEqual(['mapped body <1>', 'backup <2>']);
    expect(script.seen.filter((each) => each === 'body')).toHaveLength(1);
    expect(counts()).toEqual([{ ok: 1, budget: 1 }, { ok: 1 }]);
  });

  it('budget: without a free one the answer is a 503', async () => {
    const script = new Script();
    const options = { budget: { limit: 1, per: '1h' }, cost: 1 } as const;
    const { ask } = await serve(platform, script, { options });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 503]);
    expect(script.seen).not.toContain('backup');
  });

  it('budget: a substitute says on the response why', async () => {
    const script = new Script();
    const options = { budget: { limit: 1, per: '1h' }, cost: 1, onBudget: 'stop' } as const;
    const degraded = { substitute: 'popular', mark: 'receipt' } as const;
    const { ask } = await serve(platform, script, { options, degraded, candidates: [] });
    await ask();
    const { text, headers } = await ask();
    expect([text, headers.get('degraded')]).toEqual(['popular', 'route;source=static;reason=budget']);
  });
});
