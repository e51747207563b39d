import { Controller, Get, Injectable, Req, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackConfigurationError } from '../../lib/index.js';
import { PLATFORMS, closeApps, startServer } from '../support/nest-app.js';
import type { Platform } from '../support/nest-app.js';

interface Request {
  headers: Record<string, string | undefined>;
  user?: { id: string; tenant: string[] };
}

type KeyFunction = (request: Request) => string | number | string[] | null | undefined;

let isUpstreamDown: boolean;
/** what the key function of the anonymous pages gives; a function so that it can throw */
let anonymousKey: () => string | number | null | undefined;

const SUBSTITUTE = { page: 'a page for everybody' };
const EXHAUSTED = { statusCode: 503, message: 'Service Unavailable', error: 'FALLBACK_EXHAUSTED' };

const byUser: KeyFunction = (request) => request.user?.id;

function pageOf(request: Request): object {
  if (isUpstreamDown) throw new Error('the upstream is down');
  return { page: `private page of ${request.headers['x-user'] ?? request.headers['x-session']}` };
}

@Injectable()
class Auth implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const id = request.headers['x-user'];
    if (id !== undefined) request.user = { id, tenant: (request.headers['x-tenant'] ?? '').split(',') };
    return true;
  }
}

@Controller('me')
@UseGuards(Auth)
class MeController {
  @Get()
  @Degraded({ lastKnownGood: { maxAge: '1h', key: byUser }, substitute: SUBSTITUTE, mark: 'receipt' })
  async me(@Req() request: Request): Promise<object> {
    return pageOf(request);
  }

  @Get('bare')
  @Degraded({ lastKnownGood: { maxAge: '1h', key: byUser }, mark: 'receipt' })
  async bare(@Req() request: Request): Promise<object> {
    return pageOf(request);
  }

  @Get('tenant')
  @Degraded({ lastKnownGood: { maxAge: '1h', key: (request: Request) => request.user!.tenant }, mark: 'receipt' })
  async tenant(@Req() request: Request): Promise<object> {
    return pageOf(request);
  }

  @Get('anonymous')
  @Degraded({ lastKnownGood: { maxAge: '1h', key: () => anonymousKey() }, mark: 'receipt' })
  async anonymous(@Req() request: Request): Promise<object> {
    return pageOf(request);
  }
}

/** The same method name in another class. */
@Controller('account')
@UseGuards(Auth)
class AccountController {
  @Get()
  @Degraded({ lastKnownGood: { maxAge: '1h', key: byUser }, mark: 'receipt' })
  async me(@Req() request: Request): Promise<object> {
    return pageOf(request);
  }
}

@Controller('unkeyed')
@UseGuards(Auth)
class UnkeyedController {
  @Get()
  @Degraded({ lastKnownGood: { maxAge: '1h' }, mark: 'receipt' })
  async me(@Req() request: Request): Promise<object> {
    return pageOf(request);
  }
}

describe.each(PLATFORMS)("B20: one user's last known good for everybody (%s)", (platform: Platform) => {
  const start = (controllers: Type[] = [MeController, AccountController]) =>
    startServer(platform, { controllers, options: { defaults: { breaker: { threshold: 1_000_000 } } } });

  beforeEach(() => {
    isUpstreamDown = false;
  });

  afterEach(closeApps);

  it('B20 (a): without a key function the application refuses to start and names the handler', async () => {
    const error: unknown = await start([UnkeyedController]).then(
      () => 'started',
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(FallbackConfigurationError);
    const { faults, message } = error as FallbackConfigurationError;
    expect(faults).toMatchObject([{ where: 'UnkeyedController.me', option: 'lastKnownGood.key' }]);
    expect(message).toContain('UnkeyedController.me');
    expect(message).toContain('lastKnownGood.key');
  });

  it('B20 (b): Ann gets her own page, marked; Bob gets the substitute', async () => {
    const { get } = await start();
    const fresh = await get('/me', { 'x-user': 'Ann' });
    expect(fresh.json()).toEqual({ page: 'private page of Ann' });
    expect(fresh.headers.get('degraded')).toBeNull();

    isUpstreamDown = true;
    const ann = await get('/me', { 'x-user': 'Ann' });
    expect(ann.status).toBe(200);
    expect(ann.json()).toEqual({ page: 'private page of Ann' });
    expect(ann.headers.get('degraded')).toBe('MeController.me;source=last-known-good;reason=transient;age=0');

    const bob = await get('/me', { 'x-user': 'Bob' });
    expect(bob.status).toBe(200);
    expect(bob.json()).toEqual(SUBSTITUTE);
    expect(bob.headers.get('degraded')).toBe('MeController.me;source=static;reason=transient');
    expect(bob.text).not.toContain('Ann');
  });

  it('B20 (b): Ann gets her own page, marked; Bob gets 503 where there is no substitute', async () => {
    const { get } = await start();
    await get('/me/bare', { 'x-user': 'Ann' });
    isUpstreamDown = true;

    const ann = await get('/me/bare', { 'x-user': 'Ann' });
    expect(ann.json()).toEqual({ page: 'private page of Ann' });
    expect(ann.headers.get('degraded')).toBe('MeController.bare;source=last-known-good;reason=transient;age=0');

    const bob = await get('/me/bare', { 'x-user': 'Bob' });
    expect(bob.status).toBe(503);
    expect(bob.json()).toEqual(EXHAUSTED);
    expect(bob.headers.get('degraded')).toBeNull();
    expect(bob.text).not.toContain('Ann');
  });

  it.each([
    { shown: 'undefined', key: () => undefined },
    { shown: 'null', key: () => null },
    { shown: "''", key: () => '' },
    { shown: 'NaN', key: () => NaN },
    {
      shown: 'an exception',
      key: () => {
        throw new Error('nobody is logged in');
      },
    },
  ])('B20 (c): a key function that gives $shown: nothing is stored and nothing served', async ({ shown, key }) => {
    const { get, events } = await start();
    anonymousKey = key;
    const fresh = await get('/me/anonymous', { 'x-session': 'one' });
    expect(fresh.status).toBe(200);
    expect(fresh.json()).toEqual({ page: 'private page of one' });

    isUpstreamDown = true;
    for (const session of ['two', 'one']) {
      const answer = await get('/me/anonymous', { 'x-session': session });
      expect(answer.status).toBe(503);
      expect(answer.json()).toEqual(EXHAUSTED);
    }
    // Nor is it stored under what the missing key looks like as text.
    for (const lookalike of ['undefined', 'null', 'NaN', '""', '[]', shown]) {
      anonymousKey = () => lookalike;
      expect((await get('/me/anonymous', { 'x-session': 'three' })).status).toBe(503);
    }
    expect(events.filter(({ source }) => source === 'last-known-good')).toEqual([]);
  });

  it('B20 (d): two handlers, and one method name in two classes, do not share entries under equal keys', async () => {
    const { get } = await start();
    await get('/me/bare', { 'x-user': 'Ann' });
    isUpstreamDown = true;

    expect((await get('/me/bare', { 'x-user': 'Ann' })).status).toBe(200);
    const otherHandler = await get('/me', { 'x-user': 'Ann' });
    expect(otherHandler.json()).toEqual(SUBSTITUTE);
    expect((await get('/account', { 'x-user': 'Ann' })).status).toBe(503);

    isUpstreamDown = false;
    await get('/me', { 'x-user': 'Ann' });
    isUpstreamDown = true;
    expect((await get('/me', { 'x-user': 'Ann' })).json()).toEqual({ page: 'private page of Ann' });
    expect((await get('/account', { 'x-user': 'Ann' })).status).toBe(503);
  });

  it('B20 (e): array keys that would join to the same text do not collide', async () => {
    const { get } = await start();
    await get('/me/tenant', { 'x-user': 'Ann', 'x-tenant': 'a:b,c' });
    isUpstreamDown = true;

    const own = await get('/me/tenant', { 'x-user': 'Ann', 'x-tenant': 'a:b,c' });
    expect(own.json()).toEqual({ page: 'private page of Ann' });
    const other = await get('/me/tenant', { 'x-user': 'Bob', 'x-tenant': 'a,b:c' });
    expect(other.status).toBe(503);
    expect(other.text).not.toContain('Ann');
  });
});
