import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChainHealthService } from 'nestjs-fallback';
import { assertCandidate, checkCandidate } from 'nestjs-fallback/testing';
import type { CheckOptions } from 'nestjs-fallback/testing';
import { AppModule } from '../../sample/03-search/app.module.js';
import { drawUp } from '../../sample/03-search/bill/bill.js';
import { CommonsEngine } from '../../sample/03-search/engines/commons.engine.js';
import { ENGINES, EnginesService } from '../../sample/03-search/engines/engines.service.js';
import type { EngineName } from '../../sample/03-search/engines/engines.service.js';
import { HamletEngine } from '../../sample/03-search/engines/hamlet.engine.js';
import { KEY } from '../../sample/03-search/engines/keyed.engine.js';
import { RangerEngine } from '../../sample/03-search/engines/ranger.engine.js';
import { SummitEngine } from '../../sample/03-search/engines/summit.engine.js';
import { find } from '../../sample/03-search/play/client.js';

/** The application of sample/03-search with its real engine processes. */
describe('sample 03: a web search', () => {
  let app: INestApplication;
  let engines: EnginesService;
  let base: string;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    engines = app.get(EnginesService);
    base = await app.getUrl();
  });

  afterEach(async () => {
    await Promise.all(ENGINES.map((name) => engines.start(name)));
    app.get(ChainHealthService).reset();
  });

  afterAll(() => app.close());

  const search = (query: string) => find(base, `/search?q=${query}`);
  const line = (strategy: string, [commons, hamlet, ranger, summit]: number[], spent: number) => {
    return { strategy, answered: 933, charged: { commons, hamlet, ranger, summit }, spent };
  };
  const books = () => Promise.all(ENGINES.map((name) => engines.charged(name)));

  const situationsOf = (name: EngineName): CheckOptions<[string]>['situations'] => {
    const is = (mood: Parameters<EnginesService['tell']>[1]) => () => engines.tell(name, mood);
    return {
      answers: is('well'),
      empty: { args: ['unwritten book'] },
      rateLimited: { arrange: is('limited'), retryAfter: 2_000 },
      failing: is('broken'),
      denied: is('locked'),
      invalid: { arrange: is('well'), args: [''] },
      hanging: { arrange: is('hanging'), reached: () => engines.holds(name, 1) },
    };
  };
  const options = (name: EngineName): CheckOptions<[string]> => {
    return { args: ['everyday bread'], situations: situationsOf(name)!, secrets: [KEY] };
  };

  it.each([
    ['commons', CommonsEngine],
    ['hamlet', HamletEngine],
    ['ranger', RangerEngine],
    ['summit', SummitEngine],
  ] as const)('the adapter of %s is a good candidate in every situation', async (name, type) => {
    const report = await assertCandidate(app.get(type, { strict: false }), options(name));
    expect(report).toMatchObject({ candidate: type.name, unchecked: [] });
  });

  it.each([
    ['hamlet', HamletEngine, ['rateLimited', 'denied', 'invalid']],
    ['ranger', RangerEngine, ['rateLimited']],
  ] as const)('without its hooks, the adapter of %s is not', async (name, type, situations) => {
    const bare = Object.create(app.get(type, { strict: false }), { assess: {}, classify: {} }) as HamletEngine;
    const { findings } = await checkCandidate(bare, options(name));
    expect(findings.map(({ situation }) => situation)).toEqual(situations);
  });

  it('free engines go on when they find nothing; a paid zero is believed, and Summit is not paid for it', async () => {
    await expect(search('everyday bread')).resolves.toMatchObject({ by: 'commons', hits: 1 });
    await expect(search('regional bread')).resolves.toMatchObject({ by: 'hamlet', hits: 1 });
    await expect(search('scholarly bread')).resolves.toMatchObject({ by: 'ranger', hits: 1 });
    await expect(search('unwritten book')).resolves.toMatchObject({ status: 200, by: 'ranger', hits: 0 });
    await expect(books()).resolves.toEqual([4, 3, 2, 0]);
  });

  it('each says in its dialect that its quota is used up; operators are not for Hamlet', async () => {
    await engines.tell('commons', 'limited');
    await expect(search('site:example.org everyday')).resolves.toMatchObject({ status: 200, by: 'ranger' });
    await engines.tell('hamlet', 'limited');
    await engines.tell('ranger', 'limited');
    await expect(search('regional bread')).resolves.toMatchObject({ by: 'summit', hits: 1 });

    const { candidates } = app.get(ChainHealthService).snapshot('search');
    expect(candidates.map(({ lastKind, state }) => [lastKind, state])).toEqual([
      ['rate-limited', 'open'],
      ['rate-limited', 'open'],
      ['rate-limited', 'open'],
      ['ok', 'closed'],
    ]);
  });

  it('the bill of a thousand queries: every other way finds no more and costs more', async () => {
    await expect(drawUp(app)).resolves.toEqual({
      lines: [
        line('the ladder', [1_000, 479, 267, 16], 1_495),
        line('race all', [1_000, 1_000, 1_000, 1_000], 15_000),
        line('retry the slow', [1_000, 479, 283, 16], 1_575),
        line('escalate past a paid zero', [1_000, 479, 267, 83], 2_165),
      ],
      byReceipts: 1_495,
    });
    // Nine thousand requests: seconds, but a machine may be busy.
  }, 60_000);
});
