import { Controller, Get, Inject, Injectable, Module, Scope } from '@nestjs/common';
import { ContextIdFactory, REQUEST } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, FallbackChain, from } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll, listen, platforms } from '../../support/apps.js';

const VISITORS = 50;

@Injectable()
class Single {
  #token = 'private';

  @FallbackChain(['backup'])
  async read(suffix: string): Promise<string> {
    return down(suffix);
  }

  async backup(suffix: string): Promise<string> {
    return this.#token + suffix;
  }
}

let made = 0;

@Injectable({ scope: Scope.TRANSIENT })
class Transient {
  readonly id = ++made;

  @FallbackChain(['backup'])
  async read(): Promise<number> {
    return down();
  }

  async backup(): Promise<number> {
    return this.id;
  }
}

@Injectable()
class FirstHost {
  constructor(readonly transient: Transient) {}
}

@Injectable()
class SecondHost {
  constructor(readonly transient: Transient) {}
}

type Request = { headers: Record<string, string> };

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  #token: string;

  constructor(@Inject(REQUEST) request: Request) {
    this.#token = request.headers.token!;
  }

  token(): string {
    return this.#token;
  }

  @FallbackChain(['whoElse'], { breaker: { threshold: Infinity } })
  async whoAmI(): Promise<string> {
    return Number(this.#token) % 2 === 0 ? `A${this.#token}` : down();
  }

  async whoElse(): Promise<string> {
    return `B${this.#token}`;
  }
}

@Injectable()
class UsesPerRequest {
  @FallbackChain([from(PerRequest, 'token')])
  async read(): Promise<string> {
    return down();
  }
}

@Controller()
class VisitorController {
  constructor(
    private readonly visitor: PerRequest,
    private readonly uses: UsesPerRequest,
  ) {}

  @Get('service') service(): Promise<string> {
    return this.visitor.whoAmI();
  }

  @Get('candidate') candidate(): Promise<string> {
    return this.uses.read();
  }
}

@Controller({ path: 'own', scope: Scope.REQUEST })
class OwnController {
  #token: string;

  constructor(@Inject(REQUEST) request: Request) {
    this.#token = request.headers.token!;
  }

  @Get()
  @FallbackChain(['backup'])
  async read(): Promise<string> {
    return down();
  }

  async backup(): Promise<string> {
    return this.#token;
  }
}

describe('instances of every scope', () => {
  afterEach(closeAll);

  it('a singleton, with its private fields', async () => {
    const module = await boot({ providers: [Single] });
    expect(await module.get(Single).read('!')).toBe('private!');
  });

  it('a bound method that was taken before start-up was done', async () => {
    const module = await boot({ providers: [Single] });
    const read = module.get(Single).read.bind(module.get(Single));
    expect(await read('?')).toBe('private?');
  });

  it('transient instances, injected and resolved, each with its own `this` and one chain', async () => {
    const module = await boot({ providers: [Transient, FirstHost, SecondHost] });
    const instances = [
      module.get(FirstHost).transient,
      module.get(SecondHost).transient,
      await module.resolve(Transient),
    ];
    const ids = await Promise.all(instances.map((instance) => instance.read()));
    expect(ids).toEqual(instances.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
    expect(module.get(ChainHealthService).snapshot()).toMatchObject([
      { chain: 'Transient.read', candidates: [{ counts: { transient: 3 } }, { counts: { ok: 3 } }] },
    ]);
  });

  it('a request-scoped instance that is resolved by hand', async () => {
    const module = await boot({ providers: [PerRequest] });
    const contextId = ContextIdFactory.create();
    module.registerRequestByContextId({ headers: { token: '3' } }, contextId);
    expect(await (await module.resolve(PerRequest, contextId)).whoAmI()).toBe('B3');
  });

  it('the chain of a class that is provided in two modules is one', async () => {
    @Module({ providers: [Single] })
    class First {}
    @Module({ providers: [Single] })
    class Second {}
    const module = await boot({ imports: [First, Second] });
    expect(
      module
        .get(ChainHealthService)
        .snapshot()
        .map(({ chain }) => chain),
    ).toEqual(['Single.read']);
    expect(await module.select(Second).get(Single, { strict: true }).read('2')).toBe('private2');
    expect(await module.select(First).get(Single, { strict: true }).read('1')).toBe('private1');
    const [primary] = module.get(ChainHealthService).snapshot('Single.read').candidates;
    expect(primary).toMatchObject({ counts: { transient: 2 } });
  });
});

describe.each(platforms)('$name: instances per request', (platform) => {
  afterEach(closeAll);

  const start = async () => {
    const { app, url } = await listen(platform, {
      controllers: [VisitorController, OwnController],
      providers: [PerRequest, UsesPerRequest],
    });
    const get = async (path: string, token: number): Promise<string> =>
      (await fetch(`${url}/${path}`, { headers: { token: String(token) } })).text();
    return { app, get };
  };

  it('each request gets its own answer; all share one health', async () => {
    const { app, get } = await start();
    const answers = await Promise.all(Array.from({ length: VISITORS }, (_, token) => get('service', token)));
    expect(answers).toEqual(answers.map((_, token) => `${token % 2 === 0 ? 'A' : 'B'}${token}`));
    const snapshot = app.get(ChainHealthService).snapshot();
    expect(snapshot.map(({ chain }) => chain).sort()).toEqual([
      'OwnController.read',
      'PerRequest.whoAmI',
      'UsesPerRequest.read',
    ]);
    expect(snapshot.find(({ chain }) => chain === 'PerRequest.whoAmI')!.candidates).toMatchObject([
      { counts: { ok: VISITORS / 2, transient: VISITORS / 2 } },
      { counts: { ok: VISITORS / 2 } },
    ]);
  });

  it('a request-scoped candidate', async () => {
    const { get } = await start();
    const answers = await Promise.all([1, 2, 3].map((token) => get('candidate', token)));
    expect(answers).toEqual(['1', '2', '3']);
  });

  it('a request-scoped controller', async () => {
    const { get } = await start();
    expect(await Promise.all([1, 2, 3].map((token) => get('own', token)))).toEqual(['1', '2', '3']);
  });
});
