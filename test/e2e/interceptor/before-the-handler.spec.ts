/** F55: pipes and inner interceptors that fail or answer before the handler is reached. */
import { BadRequestException, ImATeapotException } from '@nestjs/common';
import { of, throwError, timeout as timeLimit } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { gate } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { Script, serve } from './route.js';

const down = (): never => {
  throw new Error('down');
};

describe.each(platforms)('$name: what fails or answers before the handler is reached is left alone', (platform) => {
  afterEach(closeAll);

  const untouched = async (script: Script) => {
    const { ask, counts, events, health } = await serve(platform, script, {
      fallback: { http: { receipt: 'always' } },
      degraded: { substitute: 'substitute', mark: 'receipt' },
    });
    const answer = await ask();
    expect(script.seen).not.toContain('body');
    expect(script.seen).not.toContain('backup');
    expect(counts()).toEqual([{}, {}]);
    expect(events).toEqual([]);
    expect(health.snapshot('route').status).toBe('up');
    expect(answer.headers.get('served-by')).toBeNull();
    return answer;
  };

  it('a pipe that refuses', async () => {
    const script = new Script();
    script.pipe = () => {
      throw new BadRequestException('no number');
    };
    const { status, text } = await untouched(script);
    expect([status, JSON.parse(text)]).toMatchObject([400, { message: 'no number' }]);
  });

  it('a pipe that breaks', async () => {
    const script = new Script();
    script.pipe = async () => down();
    expect((await untouched(script)).status).toBe(500);
  });

  it('an inner interceptor that throws', async () => {
    const script = new Script();
    script.inner = () => {
      throw new ImATeapotException();
    };
    expect((await untouched(script)).status).toBe(418);
  });

  it('an inner interceptor that fails in its stream', async () => {
    const script = new Script();
    script.inner = () => throwError(() => new ImATeapotException());
    expect((await untouched(script)).status).toBe(418);
  });

  it('an inner interceptor that answers itself', async () => {
    const script = new Script();
    script.inner = async () => of('from a cache');
    expect(await untouched(script)).toMatchObject({ status: 200, text: 'from a cache' });
  });

  it('an inner time limit that ends while a pipe runs; the handler does not run later', async () => {
    const script = new Script();
    const piped = gate();
    script.pipe = async (id) => {
      await piped.opened;
      return id;
    };
    script.inner = (_context, next) => next.handle().pipe(timeLimit({ first: 1, with: () => of('too late') }));
    const { text } = await untouched(script);
    expect(text).toBe('too late');
    piped.open();
    await new Promise(setImmediate);
    expect(script.seen).toEqual(['pipe']);
  });
});
