import { Controller, Get, Header, Inject } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ShuttingDownError } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import type { Gate } from '../../support/answers.js';
import { Desk, Fate } from '../../support/desk.js';
import { PLATFORMS, closeApps, startServer } from '../../support/nest-app.js';
import type { Platform } from '../../support/nest-app.js';
import { TestClock, settle } from '../../support/test-clock.js';

const DRAIN = 200;
const REFUSAL = { statusCode: 503, message: 'Service Unavailable', error: 'SHUTTING_DOWN' };

let here: Gate;
let go: Gate;

@Controller()
class DeskController {
  constructor(@Inject(Desk) private readonly desk: Desk) {}

  @Get('now')
  now(): Promise<unknown> {
    return this.desk.timed('q');
  }

  /** Asks only when it is told to. Leaves no idle connection for which the server would wait. */
  @Get('later')
  @Header('Connection', 'close')
  async later(): Promise<unknown> {
    here.open();
    await go.opened;
    return { answers: [await this.desk.timed('q'), await this.desk.unlimited('q')] };
  }
}

async function serve(platform: Platform) {
  here = gate();
  go = gate();
  const clock = new TestClock();
  const options = { clock, drain: DRAIN, http: { receipt: 'always' } } as const;
  const server = await startServer(platform, { providers: [Desk], controllers: [DeskController], options });
  return { ...server, clock, desk: server.app.get(Desk) };
}

/** Waits for what comes over the wire. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settle();
}

describe.each(PLATFORMS)('B26: requests on %s while the application shuts down', (platform) => {
  afterEach(closeApps);

  it('B26: one that was open before is served, whenever it calls within the drain', async () => {
    const { clock, desk, fallback, get } = await serve(platform);
    desk.act = () => 'answer';
    const open = get('/later');
    await here.opened;
    await fallback.drain();
    await clock.advance(DRAIN - 1);
    go.open();
    const response = await open;
    expect(response.status).toBe(200);
    expect(response.json()).toEqual({ answers: ['answer', 'answer'] });
    expect(response.headers.get('served-by')).toBe('timed;by=timed, unlimited;by=unlimited');
    expect(clock.timers).toBe(0);
  });

  it('B26: app.close() serves it too', async () => {
    const { app, clock, desk, get } = await serve(platform);
    desk.act = () => 'answer';
    const open = get('/later');
    await here.opened;
    const closed = app.close();
    await settle();
    go.open();
    expect((await open).json()).toEqual({ answers: ['answer', 'answer'] });
    await closed;
    expect(clock.timers).toBe(0);
  });

  it('B26: one whose call is cancelled is an honest 503 that quotes nobody', async () => {
    const { app, clock, desk, get } = await serve(platform);
    const open = get('/now');
    await until(() => desk.calls === 1);
    const closed = app.close();
    await clock.advance(DRAIN);
    const response = await open;
    expect(response.status).toBe(503);
    expect(response.json()).toEqual(REFUSAL);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(response.headers.get('degraded')).toBeNull();
    await closed;
    expect([desk.spares, clock.timers]).toEqual([0, 0]);
  });

  it('B26: one that comes too late is the same 503, and invokes nothing', async () => {
    const { clock, desk, fallback, get } = await serve(platform);
    const open = get('/now');
    await until(() => desk.calls === 1);
    const drained = fallback.drain();
    for (const response of [await get('/now'), await get('/now')]) {
      expect(response.status).toBe(503);
      expect(response.json()).toEqual(REFUSAL);
    }
    await clock.advance(DRAIN);
    await drained;
    expect((await open).status).toBe(503);
    expect([desk.calls, desk.spares]).toEqual([1, 0]);
  });

  it('B26: a job that belongs to no request is refused at once, while a request is still served', async () => {
    const { clock, desk, fallback, get } = await serve(platform);
    const open = get('/later');
    await here.opened;
    desk.act = () => clock.sleep(50).then(() => 'answer');
    go.open();
    await until(() => desk.calls === 1);
    const drained = fallback.drain();
    const job = new Fate(desk.timed('q'));
    await settle();
    expect(job.error).toBeInstanceOf(ShuttingDownError);
    await clock.advance(50);
    await clock.advance(50);
    await drained;
    expect((await open).json()).toEqual({ answers: ['answer', 'answer'] });
    expect(desk.calls).toBe(2);
  });
});
