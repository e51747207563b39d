/** An inner interceptor that subscribes to the handler again belongs to candidate 0: there is one ladder, and one outcome. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { concat, map, retry, take } from 'rxjs';
import { down } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { Script, serve } from './route.js';

describe.each(platforms)('$name: an inner interceptor that', (platform) => {
  afterEach(closeAll);

  const retrying = () => {
    const script = new Script();
    script.inner = (_context, next) =>
      next.handle().pipe(
        retry(2),
        map((value) => `mapped ${String(value)}`),
      );
    return script;
  };

  it('tries again in vain: the body ran three times, one failure, the backup answers unmapped', async () => {
    const script = retrying();
    script.body = () => down();
    const { ask, counts, events } = await serve(platform, script, { fallback: { http: { receipt: 'always' } } });
    const answer = await ask();
    expect(answer.text).toBe('backup <1>');
    expect(answer.headers.get('served-by')).toBe('route;by=backup');
    expect(script.seen).toEqual(['pipe', 'body', 'pipe', 'body', 'pipe', 'body', 'backup']);
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
    expect(events.map(({ name }) => name)).toEqual(['attempt.settled', 'attempt.settled', 'call.served']);
  });

  it('tries again with success: candidate 0 has answered', async () => {
    const script = retrying();
    let tries = 0;
    script.body = (id) => (++tries < 3 ? down() : `body ${id}`);
    const { ask, counts } = await serve(platform, script);
    expect((await ask()).text).toBe('mapped body <1>');
    expect(counts()).toEqual([{ ok: 1 }, {}]);
  });

  it('always fails: its circuit opens as it should', async () => {
    const script = retrying();
    script.body = () => down();
    const { ask, health } = await serve(platform, script, { options: { breaker: { threshold: 3 } } });
    for (let request = 0; request < 4; request++) expect((await ask()).text).toBe('backup <1>');
    expect(health.snapshot('route').candidates[0]).toMatchObject({ state: 'open', consecutiveFailures: 3 });
  });

  it('asks twice for its own reasons', async () => {
    const script = new Script();
    script.inner = (_context, next) => concat(next.handle().pipe(take(1)), next.handle());
    const { ask, counts } = await serve(platform, script);
    expect((await ask()).text).toBe('body <1>');
    expect(script.seen).toEqual(['pipe', 'body', 'pipe', 'body']);
    expect(counts()).toEqual([{ ok: 1 }, {}]);
  });
});
