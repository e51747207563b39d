import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain, FallbackService } from '../../../lib/index.js';
import type { Receipt } from '../../../lib/index.js';
import { chainsOf, down, gate, members } from '../../support/answers.js';
import { boot, closeAll, listen, platforms } from '../../support/apps.js';
import { Shop, ShopController } from '../../support/shop.js';

const VISITORS = 24;

@Injectable()
class Meeting {
  private waiting = 0;
  private readonly everybody = gate();

  @FallbackChain([], { name: 'meeting', whenOpen: 'ignore' })
  @Degraded({ substitute: (visitor: number) => ({ visitor }) })
  async attend(visitor: number): Promise<{ visitor: number; degraded?: boolean }> {
    if (++this.waiting === VISITORS) this.everybody.open();
    await this.everybody.opened;
    return visitor % 2 === 0 ? { visitor } : down();
  }
}

@Controller()
class ReceiptController {
  constructor(
    private readonly shop: Shop,
    private readonly meeting: Meeting,
    private readonly fallback: FallbackService,
  ) {}

  @Get('receipts')
  async receipts(): Promise<readonly Receipt[]> {
    await this.shop.failedOver();
    await this.shop.outerFull();
    await this.shop.exhausted().catch(() => {});
    return this.fallback.currentReceipts();
  }

  @Get('with-receipt')
  async withReceipt() {
    await this.shop.healthy();
    const inner = await this.fallback.withReceipt(() => this.shop.recommendations());
    return { inner: chainsOf(inner.receipts), all: chainsOf(this.fallback.currentReceipts()) };
  }

  @Get('meeting/:visitor')
  async attend(@Param('visitor') visitor: string): Promise<unknown> {
    const answer = await this.meeting.attend(Number(visitor));
    return { answer, receipts: this.fallback.currentReceipts() };
  }
}

const PARTS = { controllers: [ReceiptController, ShopController], providers: [Shop, Meeting] };

it('there are no receipts outside any scope', async () => {
  const module = await boot({ providers: [Shop] });
  const fallback = module.get(FallbackService);
  await module.get(Shop).recommendations();
  expect(fallback.currentReceipts()).toEqual([]);
  const { receipt } = await fallback.withReceipt(() => module.get(Shop).recommendations());
  expect(receipt).toMatchObject({ chain: 'recommendations', degraded: true });
  expect(fallback.currentReceipts()).toEqual([]);
  await closeAll();
});

describe.each(platforms)('$name: receipts of a request', (platform) => {
  afterEach(closeAll);

  const start = async (http?: false | { receipt?: 'degraded' | 'always' }) => {
    const fallback = http === undefined ? {} : { http };
    const { app, url } = await listen(platform, { ...PARTS, fallback });
    return { app, get: (path: string) => fetch(`${url}/${path}`) };
  };

  it('currentReceipts() has every call of the request, inner ones first', async () => {
    const { app, get } = await start();
    const receipts = (await (await get('receipts')).json()) as Receipt[];
    expect(receipts).toMatchObject([
      { chain: 'failed-over', servedBy: 'backup', failedOver: true, degraded: false },
      { chain: 'recommendations', servedBy: null, source: 'static', degraded: true },
      { chain: 'outer-full', servedBy: 'outerFull', degraded: false },
      { chain: 'exhausted', servedBy: null, degraded: false },
    ]);
    expect(app.get(FallbackService).currentReceipts()).toEqual([]);
    expect(await (await get('receipts')).json()).toHaveLength(4);
  });

  it('a withReceipt inside the request adds to it and to the header', async () => {
    const { get } = await start();
    const response = await get('with-receipt');
    expect(await response.json()).toEqual({ inner: ['recommendations'], all: ['healthy', 'recommendations'] });
    expect(members(response.headers.get('degraded')).map(({ name }) => name)).toEqual(['recommendations']);
  });

  it('requests that overlap do not mix', async () => {
    const { get } = await start();
    const visits = Array.from({ length: VISITORS }, async (_, visitor) => {
      const response = await get(`meeting/${visitor}`);
      return { visitor, degraded: response.headers.get('degraded'), body: await response.json() };
    });
    for (const { visitor, degraded, body } of await Promise.all(visits)) {
      const isDegraded = visitor % 2 === 1;
      expect(degraded).toBe(isDegraded ? 'meeting;source=static;reason=transient' : null);
      expect(body).toMatchObject({
        answer: isDegraded ? { visitor, degraded: true } : { visitor },
        receipts: [{ chain: 'meeting', degraded: isDegraded }],
      });
      expect((body as { receipts: unknown[] }).receipts).toHaveLength(1);
    }
  });

  describe("http: { receipt: 'always' }", () => {
    it.each([
      ['healthy', 'healthy', 'healthy'],
      ['failedOver', 'failed-over', 'backup'],
      ['secondRate', 'second-rate', 'backup'],
      ['recommendations', 'recommendations', 'static'],
    ])('%s: Served-By names who answered', async (call, chain, by) => {
      const { get } = await start({ receipt: 'always' });
      const response = await get(`calls?of=${call}`);
      const [member, ...more] = members(response.headers.get('served-by'));
      expect(more).toEqual([]);
      expect(member!.name).toBe(chain);
      expect(Object.values(member!)).toContain(by);
    });

    it('a full answer gets no other mark, a degraded one both', async () => {
      const { get } = await start({ receipt: 'always' });
      const { headers } = await get('calls?of=healthy');
      expect([headers.has('degraded'), headers.has('cache-control')]).toEqual([false, false]);
      expect((await get('calls?of=recommendations')).headers.has('degraded')).toBe(true);
    });

    it('several calls are named in order, inner ones are not', async () => {
      const { get } = await start({ receipt: 'always' });
      const response = await get('calls?of=outerFull,healthy,failedOver');
      const names = members(response.headers.get('served-by')).map(({ name }) => name);
      expect(names).toEqual(['outer-full', 'healthy', 'failed-over']);
    });

    it('a response without calls names nobody', async () => {
      const { get } = await start({ receipt: 'always' });
      expect((await get('untouched')).headers.has('served-by')).toBe(false);
    });

    it('a call that nobody answered names nobody as having answered', async () => {
      const { get } = await start({ receipt: 'always' });
      const response = await get('calls?of=exhausted');
      expect(response.status).toBe(503);
      expect(response.headers.get('served-by') ?? '').not.toContain('by=');
    });
  });

  it("http: { receipt: 'degraded' } is the default", async () => {
    const { get } = await start({ receipt: 'degraded' });
    expect((await get('calls?of=healthy')).headers.has('served-by')).toBe(false);
    expect((await get('calls?of=recommendations')).headers.has('degraded')).toBe(true);
  });

  describe('http: false', () => {
    it('marks no response, but the answer itself', async () => {
      const { get } = await start(false);
      const response = await get('calls?of=recommendations');
      for (const name of ['degraded', 'cache-control', 'served-by']) expect(response.headers.has(name)).toBe(false);
      expect(await response.json()).toEqual({ text: 'popular', degraded: true });
    });

    it('opens no scope: no receipts, except by withReceipt', async () => {
      const { get } = await start(false);
      expect(await (await get('receipts')).json()).toEqual([]);
      expect(await (await get('with-receipt')).json()).toEqual({ inner: ['recommendations'], all: [] });
    });
  });
});
