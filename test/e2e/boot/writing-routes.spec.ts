/** A write that a further candidate would repeat: routes of POST, PUT, PATCH and DELETE. */
import { All, Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { said } from '../../support/boot-log.js';
import { hostWith, protect } from '../../support/faulty.js';
import type { Protection } from '../../support/faulty.js';
import { closeApps } from '../../support/nest-app.js';

describe('further candidates of a route that writes', () => {
  afterEach(closeApps);

  const routed = (route: MethodDecorator, protection: Protection, isAbove = true): Type => {
    const Shop = hostWith({}, 'Shop') as Type;
    const descriptor = (): PropertyDescriptor => Object.getOwnPropertyDescriptor(Shop.prototype, 'read')!;
    if (!isAbove) route(Shop.prototype, 'read', descriptor());
    protect(Shop, protection);
    if (isAbove) route(Shop.prototype, 'read', descriptor());
    Controller('shop')(Shop);
    return Shop;
  };
  const guarded = { timeout: '1s' };
  const ladder = { candidates: ['backup'], options: guarded };

  it.each<[string, MethodDecorator]>([
    ['POST', Post()],
    ['PUT', Put()],
    ['PATCH', Patch()],
    ['DELETE', Delete()],
    ['ALL', All()],
  ])('%s', async (verb, route) => {
    for (const isAbove of [true, false]) {
      const { warn } = await said([], {}, [routed(route, ladder, isAbove)]);
      expect(warn).toEqual([expect.stringMatching(`^Shop\\.read: .* this ${verb} route; state idempotent: true`)]);
    }
  });

  it.each<[string, () => Promise<{ warn: string[] }>]>([
    ['a GET', () => said([], {}, [routed(Get(), ladder)])],
    ['no further candidate', () => said([], {}, [routed(Post(), { options: guarded, degraded: withKey })])],
    ['stated: it does no harm', () => said([], {}, [routed(Post(), stated(true))])],
    ['stated in the defaults', () => said([], { defaults: { idempotent: true } }, [routed(Post(), ladder)])],
    [
      'stated in an override',
      () => said([], { overrides: { 'Shop.read': { idempotent: true } } }, [routed(Post(), ladder)]),
    ],
    [
      'refused, and nothing to refuse',
      () => said([], {}, [routed(Post(), { options: { ...guarded, idempotent: false } })]),
    ],
    ['a service', () => said([stated(false)])],
  ])('no warning: %s', async (_what, start) => {
    expect((await start()).warn).toEqual([]);
  });

  const stated = (idempotent: boolean): Protection => ({ candidates: ['backup'], options: { ...guarded, idempotent } });
  const withKey = { substitute: 'x', mark: 'receipt' };

  it('a subclass that makes a route of an inherited chain', async () => {
    const Base = hostWith(ladder, 'Base') as Type<{ read(): Promise<unknown> }>;
    @Controller('shop')
    class Shop extends Base {
      @Post()
      override async read(): Promise<unknown> {
        return super.read();
      }
    }
    expect((await said([], {}, [Shop])).warn).toEqual([expect.stringContaining('this POST route')]);
  });

  it.each<[string, MethodDecorator]>([
    ['POST', Post()],
    ['PUT', Put()],
    ['PATCH', Patch()],
    ['DELETE', Delete()],
    ['ALL', All()],
  ])('idempotent: false on %s is refused', async (verb, route) => {
    const fault = { where: 'Shop.read', option: 'idempotent', message: expect.stringContaining(`this ${verb} route`) };
    await expect(said([], {}, [routed(route, stated(false))])).rejects.toMatchObject({ faults: [fault] });
    const overrides = { 'Shop.read': { idempotent: false } };
    await expect(said([], { overrides }, [routed(route, ladder)])).rejects.toMatchObject({ faults: [fault] });
  });
});
