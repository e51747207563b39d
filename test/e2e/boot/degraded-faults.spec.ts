import { Controller, Injectable, Scope } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, deferred } from '../../../lib/index.js';
import { boot, closeAll } from '../../support/apps.js';
import { faultsOf, hostWith, protect } from '../../support/faulty.js';

@Injectable({ scope: Scope.REQUEST })
class Scoped {}

const start = (degraded: unknown) => boot({ providers: [hostWith({ degraded })] });

describe('faults of what is served when nobody answers', () => {
  afterEach(closeAll);

  it.each([
    ['a text', 'nobody'],
    ['a number', 5],
    ['a truth value', false],
    ['null', null],
    ['undefined', undefined],
    ['a list', [1, 2]],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['nothing, queued for later', deferred()],
    ['a text, queued for later', deferred('nobody')],
  ])('a substitute that cannot carry its mark: %s', async (_what, substitute) => {
    const faults = await faultsOf(() => start({ substitute }));
    const message = expect.stringMatching(/mark: 'served'.*mark: 'receipt'/);
    expect(faults).toEqual([{ where: 'Host.read', option: 'substitute', message }]);
  });

  it.each(['served', 'receipt', () => 'marked'])('is none with mark: %p', async (mark) => {
    for (const substitute of ['nobody', 5, [1], null, undefined])
      expect(await start({ substitute, mark })).toBeDefined();
  });

  it('an object is marked by default, a computed substitute is seen when it is made', async () => {
    for (const substitute of [{ text: 'x' }, () => 'x', deferred({ text: 'x' })]) {
      expect(await start({ substitute })).toBeDefined();
    }
  });

  it('one object for all callers that cannot be copied', async () => {
    class Live {}
    const faults = await faultsOf(() => start({ substitute: { live: new Live() } }));
    const message = expect.stringContaining('() =>');
    expect(faults).toEqual([{ where: 'Host.read', option: 'substitute', message }]);
  });

  it.each([
    ['lastKnownGood', 5],
    ['lastKnownGood.maxAge', -1],
    ['lastKnownGood.maxAge', Infinity],
    ['lastKnownGood.maxAge', '15'],
    ['lastKnownGood.maxAge', undefined],
    ['lastKnownGood.refreshAfter', 0],
    ['lastKnownGood.refreshAfter', Number.NaN],
    ['lastKnownGood.maxBytes', 0],
    ['lastKnownGood.maxBytes', 1.5],
    ['lastKnownGood.key', 'id'],
    ['lastKnownGood.maxage', '15m'],
    ['mark', 'header'],
    ['on', 'transient'],
    ['on', ['ok']],
    ['on', ['down']],
    ['enabled', true],
    ['skip', 'yes'],
    ['subsitute', { text: 'x' }],
  ])('%s: %p', async (option, value) => {
    const [group, name] = option.split('.') as [string, string?];
    const usual = { mark: 'receipt', substitute: 'x' };
    const degraded =
      name === undefined ? { ...usual, [group]: value } : { ...usual, lastKnownGood: { maxAge: '15m', [name]: value } };
    const faults = await faultsOf(() => start(degraded));
    expect(faults).toEqual([{ where: 'Host.read', option, message: expect.stringMatching(/\w{3}/) }]);
  });

  it('maxAge: 0 is legal: it is off', async () => {
    expect(await start({ lastKnownGood: { maxAge: 0 }, mark: 'receipt' })).toBeDefined();
  });

  it('a step that may be left out and a substitute exclude each other', async () => {
    const faults = await faultsOf(() => start({ skip: true, substitute: { text: 'x' } }));
    expect(faults).toEqual([{ where: 'Host.read', option: 'skip', message: expect.stringContaining('keep one') }]);
  });

  it('options that are no object', async () => {
    for (const degraded of [5, 'popular', []]) {
      expect(await faultsOf(() => start(degraded))).toMatchObject([{ where: 'Host.read' }]);
    }
  });

  it('two @Degraded on one method', async () => {
    @Injectable()
    class Double {
      @Degraded({ substitute: { text: 'one' } })
      @Degraded({ substitute: { text: 'two' } })
      async read(): Promise<{ text: string; degraded?: boolean }> {
        return { text: 'read' };
      }
    }
    const faults = await faultsOf(() => boot({ providers: [Double] }));
    expect(faults).toEqual([{ where: 'Double.read', message: expect.stringMatching(/two @Degraded.*merge/) }]);
  });

  describe('a last known good must know whose it is', () => {
    const degraded = (key?: () => string) => ({
      lastKnownGood: { maxAge: '15m', ...(key && { key }) },
      mark: 'receipt',
    });
    const FAULT = { option: 'lastKnownGood.key', message: expect.stringContaining('give lastKnownGood.key') };

    it('on a controller', async () => {
      class Desk {
        async read(): Promise<string> {
          return 'read';
        }
      }
      protect(Desk, { degraded: degraded() });
      Controller()(Desk);
      expect(await faultsOf(() => boot({ controllers: [Desk] }))).toEqual([{ where: 'Desk.read', ...FAULT }]);
    });

    it.each([
      ['a message pattern', 'microservices:pattern', [{ cmd: 'read' }]],
      ['a WebSocket message', 'websockets:message_mapping', true],
      ['a GraphQL query', 'graphql:resolver_type', 'Query'],
      ['a GraphQL field', 'graphql:resolve_property', true],
    ])('on a provider whose method handles %s', async (_what, key, value) => {
      for (const isAbove of [true, false]) {
        const Gateway = hostWith({}, 'Gateway');
        const method = (): object => (Gateway.prototype as { read: object }).read;
        if (!isAbove) Reflect.defineMetadata(key, value, method());
        protect(Gateway, { degraded: degraded() });
        if (isAbove) Reflect.defineMetadata(key, value, method());
        expect(await faultsOf(() => boot({ providers: [Gateway] }))).toEqual([{ where: 'Gateway.read', ...FAULT }]);
      }
    });

    it('on a request-scoped provider, and on one that becomes it by what it injects', async () => {
      const Direct = hostWith({ degraded: degraded() }, 'Direct');
      Injectable({ scope: Scope.REQUEST })(Direct);
      @Injectable()
      class Indirect {
        constructor(readonly scoped: Scoped) {}
        async read(): Promise<string> {
          return 'read';
        }
      }
      protect(Indirect, { degraded: degraded() });
      const faults = await faultsOf(() => boot({ providers: [Direct, Scoped, Indirect] }));
      expect(faults).toEqual([
        { where: 'Direct.read', ...FAULT },
        { where: 'Indirect.read', ...FAULT },
      ]);
    });

    it('is no fault with a key, on a singleton, and on a transient provider', async () => {
      const Keyed = hostWith({ degraded: degraded(() => 'key') }, 'Keyed');
      Injectable({ scope: Scope.REQUEST })(Keyed);
      const Single = hostWith({ degraded: degraded() }, 'Single');
      const Transient = hostWith({ degraded: degraded() }, 'Transient');
      Injectable({ scope: Scope.TRANSIENT })(Transient);
      expect(await boot({ providers: [Keyed, Single, Transient] })).toBeDefined();
    });
  });
});
