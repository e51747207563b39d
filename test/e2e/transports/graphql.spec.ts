import { Module } from '@nestjs/common';
import { unwrapResolverError } from '@apollo/server/errors';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError, FallbackService } from '../../../lib/index.js';
import { chainsOf, members } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';
import { apollo, mercurius, post } from './support/graphql.js';
import type { Operation } from './support/graphql.js';
import { QuotesResolver } from './support/quotes-resolver.js';
import { ANSWERS, INNER, Quotes, SECRET, outage } from './support/quotes.js';

const ASK = (field: string) => `{ ${field}(symbol: "ACME") { price degraded } }`;
const degradedIn = (chain: string) => ({ degraded: [{ chain, source: 'static', reason: 'transient' }] });
const ERROR = {
  message: 'Service Unavailable',
  locations: expect.anything(),
  extensions: {
    code: 'FALLBACK_EXHAUSTED',
    statusCode: 503,
    retryAfter: 10,
    stacktrace: ['Error: Service Unavailable'],
  },
};

describe.each(platforms)('GraphQL by Apollo on $name', (platform) => {
  beforeEach(() => {
    outage.failing = 0;
  });
  afterEach(closeAll);

  const start = async (options = {}, fallback = {}) => {
    const { app, url } = await listen(platform, {
      imports: [apollo(options)],
      providers: [Quotes, QuotesResolver],
      fallback: { clock: new TestClock(), ...fallback },
    });
    return { app, resolver: app.get(QuotesResolver), ask: (query: string | string[]) => post(url, query) };
  };

  it.each([
    ['service', 'quotes'],
    ['resolver', 'resolver'],
  ])('a query is answered by the ladder of a %s, and says where it is degraded', async (field, chain) => {
    const { ask } = await start();
    for (const [failing, expected] of ANSWERS.entries()) {
      outage.failing = failing;
      const { status, headers, body } = await ask(ASK(field));
      expect(status).toBe(200);
      expect(body).toStrictEqual({
        data: { [field]: { degraded: null, ...expected } },
        ...(failing === 2 && { extensions: degradedIn(chain) }),
      });
      expect(members(headers.get('degraded'))).toEqual(
        failing === 2 ? [{ name: chain, ...degradedIn(chain).degraded[0], chain: undefined }] : [],
      );
    }
  });

  it('a mutation says so too', async () => {
    const { ask } = await start();
    outage.failing = 2;
    const { body } = await ask(`mutation ${ASK('refresh')}`);
    expect(body.extensions).toStrictEqual(degradedIn('quotes'));
  });

  it('every outermost call of the operation is named, in the order of their ends', async () => {
    const { ask, resolver } = await start();
    outage.failing = 2;
    const { body } = await ask(`{ a: ${ASK('resolver').slice(1, -1)} b: ${ASK('service').slice(1, -1)} }`);
    const degraded = body.extensions?.['degraded'] as { chain: string }[];
    expect(degraded.map(({ chain }) => chain).sort()).toEqual(['quotes', 'resolver']);
    expect(chainsOf(resolver.seen)).toContain('quotes');
  });

  it('a call whose enclosing chain answers in full is withdrawn', async () => {
    const { ask } = await start();
    outage.failing = 2;
    expect((await ask(ASK('covering'))).body).toStrictEqual({ data: { covering: { price: 1, degraded: null } } });
  });

  it('what other plugins have put into the extensions stays', async () => {
    const plugin = {
      requestDidStart: async () => ({
        willSendResponse: async ({ response }: { response: { body: any } }) => {
          response.body.singleResult.extensions = { ...response.body.singleResult.extensions, own: 1 };
        },
      }),
    };
    const { ask } = await start({ plugins: [plugin] });
    outage.failing = 2;
    expect((await ask(ASK('service'))).body.extensions).toStrictEqual({ ...degradedIn('quotes'), own: 1 });
  });

  it('in a batch the answer of each operation names its own calls', async () => {
    const { ask } = await start({ allowBatchedHttpRequests: true });
    outage.failing = 2;
    const { body } = await ask([ASK('service'), ASK('resolver')]);
    const [service, resolver] = body as unknown as Operation['body'][];
    expect(service?.extensions?.['degraded']).toContainEqual(degradedIn('quotes').degraded[0]);
    expect(resolver?.extensions?.['degraded']).toContainEqual(degradedIn('resolver').degraded[0]);
  });

  it('a server that includes some modules only', async () => {
    @Module({ providers: [Quotes, QuotesResolver] })
    class Included {}

    const { url } = await listen(platform, { imports: [Included, apollo({ include: [Included] })] });
    outage.failing = 2;
    expect((await post(url, ASK('service'))).body.extensions).toStrictEqual(degradedIn('quotes'));
  });

  it('`http: false`: the same values, and nothing is said of them', async () => {
    const { ask } = await start({}, { http: false });
    outage.failing = 2;
    const { body, headers } = await ask(ASK('service'));
    expect(body).toStrictEqual({ data: { service: ANSWERS[2] } });
    expect(headers.has('degraded')).toBe(false);
  });

  it('an exhausted call is an error that says when to come back, and nothing of candidates and causes', async () => {
    const { ask } = await start();
    outage.failing = 2;
    const { status, body } = await ask(ASK('strict'));
    expect(status).toBe(200);
    expect(body).toEqual({ data: { strict: null }, errors: [{ ...ERROR, path: ['strict'] }] });
  });

  it('an application that shuts down says so', async () => {
    const { app, ask } = await start({}, { http: false });
    await app.get(FallbackService).drain();
    const { body } = await ask(ASK('strict'));
    expect(body.errors).toMatchObject([{ message: 'Service Unavailable', extensions: { code: 'SHUTTING_DOWN' } }]);
  });

  it('nor is one of a field resolver, for which Nest calls no filter', async () => {
    const { ask } = await start();
    outage.failing = 2;
    const { body } = await ask('{ service(symbol: "ACME") { price other { price } } }');
    expect(body.errors).toEqual([{ ...ERROR, path: ['service', 'other'] }]);
  });

  it('who formats errors still knows them', async () => {
    const seen: unknown[] = [];
    const formatError = (formatted: { message: string }, error: unknown) => {
      seen.push(unwrapResolverError(error));
      return { message: `${formatted.message}!` };
    };
    const { ask } = await start({ formatError });
    outage.failing = 2;
    for (const field of ['strict { price }', 'service(symbol: "ACME") { other { price } }'])
      expect((await ask(`{ ${field.replace('strict', 'strict(symbol: "ACME")')} }`)).body.errors).toEqual([
        { message: 'Service Unavailable!' },
      ]);
    expect(seen).toHaveLength(2);
    for (const error of seen as FallbackExhaustedError[]) {
      expect(error).toBeInstanceOf(FallbackExhaustedError);
      expect(error).toMatchObject({ chain: 'strict', retryAfter: 10_000 });
    }
    expect((seen[0] as FallbackExhaustedError).failures()).toMatchObject([
      { candidate: 'strict', error: { message: SECRET } },
      { candidate: INNER, error: { message: SECRET } },
    ]);
  });
});

describe('GraphQL by Mercurius', () => {
  beforeEach(() => {
    outage.failing = 0;
  });
  afterEach(closeAll);

  const start = async (fallback = {}) => {
    const { url } = await listen(platforms[1]!, {
      imports: [mercurius()],
      providers: [Quotes, QuotesResolver],
      fallback: { clock: new TestClock(), ...fallback },
    });
    return (query: string) => post(url, query);
  };

  it.each([
    ['service', 'quotes'],
    ['resolver', 'resolver'],
  ])('a query is answered by the ladder of a %s, and says where it is degraded', async (field, chain) => {
    const ask = await start();
    for (const [failing, expected] of ANSWERS.entries()) {
      outage.failing = failing;
      expect((await ask(ASK(field))).body).toStrictEqual({
        data: { [field]: { degraded: null, ...expected } },
        ...(failing === 2 && { extensions: degradedIn(chain) }),
      });
    }
  });

  it('`http: false`: the same values, and nothing is said of them', async () => {
    const ask = await start({ http: false });
    outage.failing = 2;
    expect((await ask(ASK('service'))).body).toStrictEqual({ data: { service: ANSWERS[2] } });
  });

  it('an exhausted call is an error that says when to come back, and nothing of candidates and causes', async () => {
    const ask = await start();
    outage.failing = 2;
    const { stacktrace: _, ...extensions } = ERROR.extensions;
    expect((await ask(ASK('strict'))).body).toEqual({
      data: { strict: null },
      errors: [{ ...ERROR, extensions, path: ['strict'] }],
    });
  });
});
