import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Degraded, FallbackChain, FallbackConfigurationError, FallbackService, from } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, building, closeAll } from '../../support/apps.js';

@Injectable()
class Mirror {
  async read(): Promise<string> {
    return 'mirror';
  }
}

@Injectable()
class News {
  isUp = false;

  @FallbackChain(['archive', from(Mirror, 'read')], { name: 'news' })
  @Degraded({ substitute: 'none', mark: 'receipt' })
  async read(): Promise<string> {
    return this.isUp ? 'fresh' : down();
  }

  async archive(): Promise<string> {
    return 'archive';
  }
}

@Injectable()
class Reader {
  constructor(readonly news: News) {}
}

/** How users of the package test their own classes. */
describe('in unit tests of applications', () => {
  afterEach(async () => {
    jest.restoreAllMocks();
    await closeAll();
  });

  it('made by hand: the bare method, and nothing is seen of the decorator', async () => {
    const news = new News();
    await expect(news.read()).rejects.toThrow('upstream is down');
    news.isUp = true;
    expect(await news.read()).toBe('fresh');
    expect(news).toEqual({ isUp: true });
    expect(await News.prototype.read.call({ isUp: true } as News)).toBe('fresh');
    await expect(News.prototype.read.call(undefined as never)).rejects.toThrow(TypeError);
  });

  it('built by Nest without FallbackModule: the first call says what to import', async () => {
    const module = await boot({ providers: [News, Mirror], fallback: null });
    const call = module.get(News).read();
    await expect(call).rejects.toBeInstanceOf(FallbackConfigurationError);
    await expect(call).rejects.toThrow(/News\.read.*FallbackModule\.forRoot\(\)/s);
  });

  it('useMocker(() => ({})): what a mocking tool makes up is no runtime', async () => {
    const module = await Test.createTestingModule({ providers: [News] })
      .useMocker(() => ({}))
      .compile();
    module.get(News).isUp = true;
    expect(await module.get(News).read()).toBe('fresh');
    module.get(News).isUp = false;
    await expect(module.get(News).read()).rejects.toThrow('upstream is down');
    await module.close();
  });

  it('useMocker beside FallbackModule: a mocked candidate answers', async () => {
    const module = await building({ providers: [News] })
      .useMocker(() => ({ read: async () => 'mocked' }))
      .compile();
    await module.init();
    jest.spyOn(module.get(News), 'archive').mockRejectedValue(new Error('archive is down'));
    expect(await module.get(News).read()).toBe('mocked');
    await module.close();
  });

  it('overrideProvider of a decorated class', async () => {
    const module = await building({ providers: [News, Mirror, Reader] })
      .overrideProvider(News)
      .useValue({ read: async () => 'fake' })
      .compile();
    await module.init();
    expect(await module.get(Reader).news.read()).toBe('fake');
    await module.close();
  });

  it('overrideProvider of a candidate', async () => {
    const module = await building({ providers: [News, Mirror] })
      .overrideProvider(Mirror)
      .useValue({ read: async () => 'fake mirror' })
      .compile();
    await module.init();
    jest.spyOn(module.get(News), 'archive').mockRejectedValue(new Error('archive is down'));
    expect(await module.get(News).read()).toBe('fake mirror');
    await module.close();
  });

  it('overrideProvider by a class that is decorated itself', async () => {
    @Injectable()
    class OtherNews {
      @FallbackChain(['other'], { name: 'other-news' })
      async read(): Promise<string> {
        return down();
      }
      async other(): Promise<string> {
        return 'other';
      }
    }
    const module = await building({ providers: [News, Mirror, Reader] })
      .overrideProvider(News)
      .useClass(OtherNews)
      .compile();
    await module.init();
    expect(await module.get(Reader).news.read()).toBe('other');
    await module.close();
  });

  describe('jest.spyOn', () => {
    it('on the decorated method of an instance sees the call and lets it through', async () => {
      const news = (await boot({ providers: [News, Mirror] })).get(News);
      const spy = jest.spyOn(news, 'read');
      expect(await news.read()).toBe('archive');
      expect(spy).toHaveBeenCalledTimes(1);
      spy.mockResolvedValueOnce('mocked');
      expect(await news.read()).toBe('mocked');
      spy.mockRestore();
      expect(await news.read()).toBe('archive');
      expect(spy).toHaveBeenCalledTimes(0);
    });

    it('on the prototype, before the application starts', async () => {
      const spy = jest.spyOn(News.prototype, 'read');
      const module = await boot({ providers: [News, Mirror] });
      expect(await module.get(News).read()).toBe('archive');
      expect(spy).toHaveBeenCalledTimes(1);
      spy.mockRestore();
      expect(await module.get(News).read()).toBe('archive');
    });

    it('on a candidate: the ladder calls the spy', async () => {
      const module = await boot({ providers: [News, Mirror] });
      const archive = jest.spyOn(module.get(News), 'archive').mockRejectedValue(new Error('archive is down'));
      const mirror = jest.spyOn(module.get(Mirror), 'read').mockResolvedValueOnce('spied mirror');
      expect(await module.get(News).read()).toBe('spied mirror');
      expect(archive).toHaveBeenCalledTimes(1);
      expect(mirror).toHaveBeenCalledTimes(1);
    });
  });

  it('withReceipt tells who answered a primitive', async () => {
    const module = await boot({ providers: [News, Mirror] });
    const { value, receipt } = await module.get(FallbackService).withReceipt(() => module.get(News).read());
    expect([value, receipt!.servedBy, receipt!.failedOver]).toEqual(['archive', 'archive', true]);
  });
});
