/** F55, B25: the ladder around a handler, with all that stands behind the interceptor as candidate 0. */
import { BadRequestException, ImATeapotException } from '@nestjs/common';
import { EMPTY, lastValueFrom, map, timeout as timeLimit } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { gate, members } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';
import { Script, serve } from './route.js';

const down = (): never => {
  throw new Error('down');
};
const OPENS_AT_ONCE = { threshold: 1, cooldown: '1h' } as const;

describe.each(platforms)('$name: next.handle() is candidate 0', (platform) => {
  afterEach(closeAll);

  it('answers with what inner interceptors made of the answer', async () => {
    const script = new Script();
    const { ask, counts, events } = await serve(platform, script, { fallback: { http: { receipt: 'always' } } });
    const { status, text, headers } = await ask();
    expect([status, text]).toEqual([200, 'mapped body <1>']);
    expect(script.seen).toEqual(['inner', 'pipe', 'body', 'finalized']);
    expect(counts()).toEqual([{ ok: 1 }, {}]);
    expect(events.map(({ name }) => name)).toEqual(['attempt.settled', 'call.served']);
    expect(members(headers.get('served-by'))).toEqual([{ name: 'route', by: 'read' }]);
  });

  it('goes on with the bound arguments when the handler fails, without inner mapping', async () => {
    const script = new Script();
    script.body = down;
    const { ask, counts } = await serve(platform, script);
    expect((await ask()).text).toBe('backup <1>');
    expect(script.seen).toEqual(['inner', 'pipe', 'body', 'finalized', 'backup']);
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it('takes the failure of inner mapping for candidate 0 its own', async () => {
    const script = new Script();
    script.inner = (_context, next) => next.handle().pipe(map(down));
    const { ask, counts } = await serve(platform, script);
    expect((await ask()).text).toBe('backup <1>');
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it('takes an answer that inner interceptors swallow for a failure', async () => {
    const script = new Script();
    script.inner = async (_context, next) => {
      await lastValueFrom(next.handle());
      return EMPTY;
    };
    const { ask, counts } = await serve(platform, script);
    expect((await ask()).text).toBe('backup <1>');
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it('judges and remembers what inner interceptors made of the answer', async () => {
    const script = new Script();
    const { ask } = await serve(platform, script, {
      options: { primary: { accept: (value) => value === 'mapped body <1>' } },
      degraded: { lastKnownGood: { maxAge: '1h', key: (id) => id as string }, mark: 'receipt' },
    });
    expect((await ask()).text).toBe('mapped body <1>');
    script.body = down;
    script.backup = down;
    const { text, headers } = await ask();
    expect(text).toBe('mapped body <1>');
    expect(members(headers.get('degraded'))).toMatchObject([{ name: 'route', source: 'last-known-good' }]);
  });

  it('rethrows a terminal error untouched, and the exhausted one as 503', async () => {
    const script = new Script();
    script.body = () => {
      throw new BadRequestException('no such cat');
    };
    script.backup = down;
    const { ask, counts } = await serve(platform, script, { options: { breaker: OPENS_AT_ONCE } });
    const refused = await ask();
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { message: 'no such cat' }]);
    expect(counts()).toEqual([{ terminal: 1 }, {}]);
    script.body = down;
    const exhausted = await ask();
    expect([exhausted.status, JSON.parse(exhausted.text)]).toMatchObject([503, { error: 'FALLBACK_EXHAUSTED' }]);
    expect(exhausted.headers.get('retry-after')).toBe('3600');
  });

  describe('retries of candidate 0', () => {
    it('run everything behind the interceptor again, in one record', async () => {
      const script = new Script();
      let tries = 0;
      script.body = (id) => (++tries < 3 ? down() : `body ${id}`);
      const { ask, counts, events } = await serve(platform, script, { options: { primary: { retries: 2 } } });
      expect((await ask()).text).toBe('mapped body <1>');
      expect(script.seen.filter((each) => each === 'pipe')).toHaveLength(3);
      expect(script.seen.filter((each) => each === 'body')).toHaveLength(3);
      expect(counts()).toEqual([{ ok: 1 }, {}]);
      expect(events.filter(({ name }) => name === 'attempt.settled')).toMatchObject([{ tries: 3 }]);
    });

    it('whose pipe refuses now are candidate 0 its own failure', async () => {
      const script = new Script();
      script.body = down;
      script.pipe = (id) => {
        if (script.seen.includes('body')) throw new BadRequestException('consumed');
        return id;
      };
      const { ask, counts } = await serve(platform, script, { options: { primary: { retries: 1 } } });
      expect((await ask()).status).toBe(400);
      expect(counts()).toEqual([{ terminal: 1 }, {}]);
    });

    it('that are cut while a pipe runs never reach the body', async () => {
      const clock = new TestClock();
      const script = new Script();
      const [piping, piped] = [gate(), gate()];
      script.body = down;
      script.pipe = async (id) => {
        if (!script.seen.includes('body')) return id;
        piping.open();
        await piped.opened;
        return id;
      };
      const { ask, counts } = await serve(platform, script, {
        fallback: { clock },
        options: { primary: { retries: 1, timeout: '10s' } },
      });
      const answer = ask();
      while (clock.timers < 2) await new Promise(setImmediate);
      await clock.advance(200);
      await piping.opened;
      await clock.advance(10_000);
      expect((await answer).text).toBe('backup 1');
      piped.open();
      await new Promise(setImmediate);
      expect(script.seen.filter((each) => each === 'body')).toHaveLength(1);
      expect(counts()).toEqual([{ timeout: 1 }, { ok: 1 }]);
    });
  });

  it('has a timeout that cuts the handler, whose late answer is inert and counted', async () => {
    const clock = new TestClock();
    const script = new Script();
    const [begun, finish] = [gate(), gate()];
    script.body = async () => {
      begun.open();
      await finish.opened;
      return 'late';
    };
    const { ask, counts, events } = await serve(platform, script, {
      fallback: { clock },
      options: { primary: { timeout: 100 } },
    });
    const answer = ask();
    await begun.opened;
    await clock.advance(100);
    expect((await answer).text).toBe('backup <1>');
    finish.open();
    while (!events.some(({ name }) => name === 'attempt.late')) await new Promise(setImmediate);
    expect(counts()).toEqual([{ timeout: 1, late: 1 }, { ok: 1 }]);
    expect(events.filter(({ name }) => name === 'attempt.settled')).toHaveLength(2);
  });

  it('lets an inner interceptor give up: that is candidate 0 its own failure', async () => {
    const script = new Script();
    script.body = () => new Promise(() => {});
    script.inner = (_context, next) => next.handle().pipe(timeLimit(5));
    const { ask, counts } = await serve(platform, script);
    expect((await ask()).text).toBe('backup <1>');
    expect(counts()).toEqual([{ timeout: 1 }, { ok: 1 }]);
  });

  it('switched off by enabled, runs the bare handler and leaves its failure alone', async () => {
    const script = new Script();
    script.body = () => {
      throw new ImATeapotException();
    };
    const { ask, counts, events } = await serve(platform, script, { options: { enabled: () => false } });
    expect((await ask()).status).toBe(418);
    expect([counts(), events]).toEqual([[{}, {}], []]);
  });
});
