import { Injectable, Module } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackService, from } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';

describe('candidates and where they come from', () => {
  afterEach(closeAll);

  describe('two modules that provide the same token: each host gets its own twin', () => {
    @Injectable()
    class Twin {
      constructor(readonly of: string) {}
      async locate(): Promise<string> {
        return this.of;
      }
    }
    @Injectable()
    class Host {
      @FallbackChain([from(Twin, 'locate')], { name: 'twins' })
      async read(): Promise<string> {
        return down();
      }
    }
    const twin = (of: string) => ({ provide: Twin, useFactory: () => new Twin(of) });
    const made = { provide: 'MADE', useFactory: () => new Host() };

    @Module({ providers: [twin('east')], exports: [Twin] })
    class EastTwin {}
    @Module({ imports: [EastTwin], providers: [Host, made] })
    class East {}
    @Module({ providers: [Host, made, twin('west')] })
    class West {}

    it.each([
      ['injected by Nest', Host],
      ['made by useFactory', 'MADE'],
    ])('%s', async (_how, token) => {
      for (const imports of [
        [East, West],
        [West, East],
      ]) {
        const module = await boot({ imports });
        const hosts = [East, West].map((each) => module.select(each).get<Host>(token, { strict: true }));
        expect(await Promise.all(hosts.map((host) => host.read()))).toEqual(['east', 'west']);
      }
    });
  });

  it('two classes that name each other', async () => {
    @Injectable()
    class Left {
      @FallbackChain([from(() => Right, 'spare')], { name: 'left' })
      async read(): Promise<string> {
        return down();
      }
      async spare(): Promise<string> {
        return 'spare of Left';
      }
    }
    @Injectable()
    class Right {
      @FallbackChain([from(Left, 'spare')], { name: 'right' })
      async read(): Promise<string> {
        return down();
      }
      async spare(): Promise<string> {
        return 'spare of Right';
      }
    }
    const module = await boot({ providers: [Left, Right] });
    expect(await module.get(Left).read()).toBe('spare of Right');
    expect(await module.get(Right).read()).toBe('spare of Left');
  });

  it('a candidate that is decorated itself: its degraded answer stays degraded', async () => {
    @Injectable()
    class Inner {
      @FallbackChain([{ method: 'thin', degraded: true }], { name: 'inner' })
      async read(): Promise<{ by: string }> {
        return down();
      }
      async thin(): Promise<{ by: string }> {
        return { by: 'thin' };
      }
    }
    @Injectable()
    class Outer {
      @FallbackChain([from(Inner, 'read')], { name: 'outer' })
      async read(): Promise<{ by: string }> {
        return down();
      }
    }
    const module = await boot({ providers: [Inner, Outer] });
    const { value, receipt } = await module.get(FallbackService).withReceipt(() => module.get(Outer).read());
    expect(value).toEqual({ by: 'thin' });
    expect(receipt).toMatchObject({ chain: 'outer', servedBy: 'Inner.read', degraded: true });
  });
});
