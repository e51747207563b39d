import { Observable } from 'rxjs';
import type { FallbackCandidate } from '../../lib/index.js';
import { rateLimited } from '../../lib/index.js';
import { CandidateCheckError, assertCandidate, checkCandidate } from '../../lib/testing/index.js';
import type { Finding, SituationName } from '../../lib/testing/index.js';
import { HASTY, PATIENCE, looksAt, never } from './look.js';
import { Catalogue, KEY, Shelf, situationsOf } from './shelf.js';
import type { CatalogueError } from './shelf.js';

describe('checkCandidate', () => {
  const catalogue = new Catalogue();
  const situations = situationsOf(catalogue);
  const { check, codes, hastyCodes } = looksAt(catalogue);

  beforeAll(() => catalogue.open());
  afterAll(() => catalogue.close());

  it('finds nothing at a good candidate in any situation, with hooks and without', async () => {
    const all = { args: ['Emma'] as [string], situations, secrets: [KEY] };
    const names = ['answers', 'empty', 'rateLimited', 'failing', 'denied', 'invalid', 'hanging'];
    const good = { candidate: 'Shelf', findings: [], checked: names, unchecked: [] };
    await expect(assertCandidate(new Shelf(catalogue), all)).resolves.toEqual(good);

    class Bare implements FallbackCandidate<[string], string[]> {
      private readonly shelf = new Shelf(catalogue);
      run(...args: Parameters<Shelf['run']>) {
        return this.shelf.run(...args);
      }
    }
    await expect(assertCandidate(new Bare(), all)).resolves.toEqual({ ...good, candidate: 'Bare' });
  });

  it('says in which situations nobody has looked', async () => {
    const { checked, unchecked } = await check(new Shelf(catalogue), 'answers', 'failing');
    expect(checked).toEqual(['answers', 'failing']);
    expect(unchecked).toEqual(['empty', 'rateLimited', 'denied', 'invalid', 'hanging']);
  });

  it('the assertion throws one error with every finding and what to do', async () => {
    class Hasty extends Shelf {
      override supports(): boolean {
        throw new Error('no');
      }
      override classify = () => 'terminal' as const;
    }
    const failure = await assertCandidate(new Hasty(catalogue), { args: ['Emma'] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CandidateCheckError);
    expect(failure).toMatchObject({ code: 'CANDIDATE_CHECK', findings: [expect.anything(), expect.anything()] });
    expect((failure as Error).message).toBe(
      'Hasty is no good candidate yet:\n' +
        '- hook-throws: supports throws (asked about the given arguments): let it give true or false for any arguments; ' +
        'else the candidate is passed over\n' +
        '- rate-limit-stops: for a 429 in error.status, classify ends the whole ladder: let classify say rate-limited, ' +
        'so that the next candidate answers',
    );
  });

  describe('what becomes of a situation', () => {
    /** A candidate that makes another error of the one that the good one throws. */
    const throwing = (become: (error: CatalogueError) => unknown) =>
      new (class Remade extends Shelf {
        override async run(...args: Parameters<Shelf['run']>): Promise<string[]> {
          try {
            return await super.run(...args);
          } catch (error) {
            throw become(error as CatalogueError);
          }
        }
      })(catalogue);

    it.each<[SituationName, Finding['code'], (error: CatalogueError) => unknown]>([
      ['rateLimited', 'rate-limit-stops', () => Object.assign(new Error('refused'), { status: 400 })],
      ['rateLimited', 'wrong-kind', () => new Error('too fast')],
      ['rateLimited', 'advice-lost', ({ status }) => Object.assign(new Error('429'), { status })],
      ['rateLimited', 'advice-lost', () => rateLimited('in seconds', { retryAfter: 20 })],
      ['failing', 'wrong-kind', () => new TypeError('undefined is not a function')],
      ['denied', 'wrong-kind', () => new Error('who are you')],
      ['invalid', 'wrong-kind', () => new Error('no title')],
    ])('%s: %s (%s)', async (situation, code, become) => {
      await expect(codes(throwing(become), situation)).resolves.toEqual([code]);
      await expect(
        codes(
          throwing((error) => error),
          situation,
        ),
      ).resolves.toEqual([]);
    });

    it('empty: finding nothing is no failure', async () => {
      class Strict extends Shelf {
        override assess = (titles: string[]) => (titles.length === 0 ? ('rejected' as const) : undefined);
      }
      class Fine extends Shelf {
        override assess = (titles: string[]) => (titles.length === 0 ? ('empty' as const) : undefined);
      }
      await expect(codes(new Strict(catalogue), 'empty')).resolves.toEqual(['wrong-kind']);
      await expect(codes(new Fine(catalogue), 'empty')).resolves.toEqual([]);
    });

    it('invalid: what supports refuses is never asked, and that is fine; elsewhere it is the wrong question', async () => {
      class Choosy extends Shelf {
        override supports = (title: string) => title !== '' && title !== 'Unwritten';
      }
      await expect(codes(new Choosy(catalogue), 'invalid')).resolves.toEqual([]);
      await expect(codes(new Choosy(catalogue), 'empty')).resolves.toEqual(['supports-refuses']);
      const { findings } = await checkCandidate(new Choosy(catalogue), {
        args: ['Emma'],
        situations: { hanging: { args: ['Unwritten'], reached: never } },
      });
      expect(findings.map(({ code }) => code)).toEqual(['supports-refuses']);
    });

    it.each<[string, () => Promise<string[]>]>([
      ['that cannot be ended', never],
      [
        'that ends only when it is cut',
        () => new Shelf(catalogue).run({ signal: AbortSignal.timeout(60_000) }, 'Emma'),
      ],
    ])('no-answer: a run %s', async (_, run) => {
      catalogue.mood = 'hanging';
      const silent = { name: 'silent', run };
      const { candidate, findings } = await checkCandidate(silent, {
        args: [],
        situations: { failing: {} },
        patience: HASTY,
      });
      expect(findings.map(({ code }) => code)).toEqual(['no-answer']);
      expect(candidate).toBe('silent');
    });

    it.each<[string, () => Error]>([
      ['in its message', () => new Error(`GET /?key=${KEY} failed`)],
      ['in its message, encoded', () => new Error(`GET /?key=${encodeURIComponent(KEY)} failed`)],
      [
        'in the request that it keeps',
        () => Object.assign(new Error('x'), { config: { headers: { authorization: KEY } } }),
      ],
      ['in its cause', () => new Error('x', { cause: new Error(KEY) })],
    ])('secret-leaked: an error with the key %s', async (_, make) => {
      const leaking = throwing(({ status }) => Object.assign(make(), { status }));
      await expect(codes(leaking, 'failing')).resolves.toEqual(['secret-leaked']);
    });
  });

  describe('hanging', () => {
    it('signal-ignored and deadline-ignored: a request that nobody ends', async () => {
      class Deaf extends Shelf {
        override run(_ctx: unknown, title: string): Promise<string[]> {
          return this.fetch(title);
        }
      }
      await expect(hastyCodes(new Deaf(catalogue), 'hanging')).resolves.toEqual(['signal-ignored', 'deadline-ignored']);
    });

    it('signal-ignored alone: a client that is given only the time that is left', async () => {
      class Timed implements FallbackCandidate<[string], string[]> {
        run(ctx: { deadline: { remaining(): number } }, title: string): Promise<string[]> {
          const signal = AbortSignal.timeout(Math.min(ctx.deadline.remaining(), 60_000));
          return new Shelf(catalogue).run({ signal }, title);
        }
      }
      await expect(codes(new Timed(), 'hanging')).resolves.toEqual(['signal-ignored']);
    });

    it('deadline-ignored alone: a client that is told only of callers who go away', async () => {
      class Choosy extends Shelf {
        override run({ signal }: { signal: AbortSignal }, title: string): Promise<string[]> {
          const gone = new AbortController();
          signal.addEventListener('abort', () => {
            if (signal.reason.code !== 'DEADLINE_EXCEEDED') gone.abort();
          });
          return this.fetch(title, gone.signal);
        }
      }
      await expect(hastyCodes(new Choosy(catalogue), 'hanging')).resolves.toEqual(['deadline-ignored']);
    });

    it('did-not-hang: a situation that does not do what it says', async () => {
      const { findings } = await checkCandidate(new Shelf(catalogue), {
        args: ['Emma'],
        situations: { hanging: situations.answers! },
        patience: PATIENCE,
      });
      expect(findings.map(({ code }) => code)).toEqual(['did-not-hang']);
    });

    it('without `reached`, the candidate is cut after a moment', async () => {
      const { findings } = await checkCandidate(new Shelf(catalogue), {
        args: ['Emma'],
        situations: { hanging: () => (catalogue.mood = 'hanging') },
        patience: PATIENCE,
      });
      expect(findings).toEqual([]);
    });
  });
});

it('an Observable that hangs until it is unsubscribed is as good as a promise that does', async () => {
  const candidate: FallbackCandidate<[], string> = { run: () => new Observable<string>(() => {}) };
  const { findings } = await checkCandidate(candidate, { args: [], situations: { hanging: {} }, patience: 200 });
  expect(findings).toEqual([]);
});
