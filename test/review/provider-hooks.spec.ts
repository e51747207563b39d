/** Hooks of a provider that is a candidate as a whole: whichever way they are written, and whenever the provider is made. */
import { Injectable, Scope } from '@nestjs/common';
import type { Provider, Type } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, from } from '../../lib/index.js';
import type { ChainOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';

afterEach(closeAll);

const SCOPES = [
  ['a singleton', Scope.DEFAULT],
  ['request-scoped', Scope.REQUEST],
] as const;
const MADE = ['useClass', 'useFactory', 'the class itself'] as const;
const cases = SCOPES.flatMap(([named, scope]) => MADE.map((how) => [named, how, scope] as const));

const down = new Error('down');

/** What a host answers whose first candidate is down and whose next is this provider, called as a whole. */
async function answerOf(type: Type, how: (typeof MADE)[number], scope: Scope, options: ChainOptions = {}) {
  Injectable({ scope })(type);
  const token = how === 'the class itself' ? type : 'CANDIDATE';
  const made = how === 'useClass' ? { useClass: type } : { useFactory: () => new type() as object };
  const provider: Provider = how === 'the class itself' ? type : { provide: token, scope, ...made };

  @Injectable()
  class Host {
    @FallbackChain([from(token as 'CANDIDATE'), 'last'], { name: 'host', whenOpen: 'ignore', ...options })
    async find(): Promise<string> {
      throw down;
    }
    async last(): Promise<string> {
      return 'last';
    }
  }
  const module = await boot({ providers: [Host, provider], fallback: { logger: false } });
  const isStatic = scope === Scope.DEFAULT;
  const host = isStatic ? module.get(Host) : await module.resolve(Host, ContextIdFactory.create());
  return host.find().catch((error: Error) => error.message);
}

abstract class Answering {
  async run(): Promise<string> {
    return 'provider';
  }
}

describe('a hook that is a property of the instance', () => {
  it.each(cases)('supports, %s, by %s', async (_named, how, scope) => {
    class Picky extends Answering {
      supports = () => false;
    }
    expect(await answerOf(Picky, how, scope)).toBe('last');
  });

  it.each(cases)('assess, %s, by %s', async (_named, how, scope) => {
    class Modest extends Answering {
      assess = () => 'rejected' as const;
    }
    expect(await answerOf(Modest, how, scope)).toBe('last');
  });

  it.each(cases)('classify, %s, by %s', async (_named, how, scope) => {
    class Strict extends Answering {
      classify = () => 'terminal' as const;
      override run(): Promise<string> {
        return Promise.reject(new Error('its own'));
      }
    }
    expect(await answerOf(Strict, how, scope)).toBe('its own');
  });
});

describe('hooks of the chain', () => {
  it.each(cases)('hold for a provider without any, %s, by %s', async (_named, how, scope) => {
    const assess = (value: string) => (value === 'provider' ? 'rejected' : undefined);
    class Bare extends Answering {}
    expect(await answerOf(Bare, how, scope, { assess })).toBe('last');
    class Other extends Answering {}
    expect(await answerOf(Other, how, scope, { supports: () => false })).toMatch(/^All 3 (.*unsupported){3}/);
    class Failing extends Answering {
      override run(): Promise<string> {
        return Promise.reject(new Error('its own'));
      }
    }
    const classify = (error: unknown) => (error === down ? undefined : 'terminal');
    expect(await answerOf(Failing, how, scope, { classify })).toBe('its own');
  });

  it.each(cases)('give way to those of the provider, one by one, %s, by %s', async (_named, how, scope) => {
    class Sure extends Answering {
      supports(): boolean {
        return true;
      }
    }
    const options: ChainOptions = { primary: { supports: () => true }, supports: () => false };
    expect(await answerOf(Sure, how, scope, options)).toBe('provider');
  });
});

it.each(cases)('a supports that says nothing says no, %s, by %s', async (_named, how, scope) => {
  class Silent extends Answering {
    supports(): boolean {
      return undefined as unknown as boolean;
    }
  }
  expect(await answerOf(Silent, how, scope)).toBe('last');
});
