import type { Finding } from '../../lib/testing/index.js';
import { looksAt, never } from './look.js';
import { Catalogue, Shelf } from './shelf.js';

describe('checkCandidate, asking the hooks', () => {
  const catalogue = new Catalogue();
  const { check, codes, hastyCodes } = looksAt(catalogue);

  beforeAll(() => catalogue.open());
  afterAll(() => catalogue.close());

  describe('supports', () => {
    it.each<[Finding['code'], () => boolean | Promise<boolean>]>([
      ['hook-throws', () => JSON.parse('{')],
      ['hook-throws', () => Promise.reject(new Error('later'))],
      ['hook-nonsense', () => undefined as never],
      ['hook-nonsense', () => 'yes' as never],
      ['hook-nonsense', () => Promise.resolve(1 as never)],
      ['supports-refuses', () => false],
    ])('%s (%s)', async (code, supports) => {
      class Odd extends Shelf {
        override supports = supports;
      }
      await expect(codes(new Odd(catalogue))).resolves.toEqual([code]);
    });

    it.each([true, Promise.resolve(true)])('nothing for %p', async (said) => {
      class Fine extends Shelf {
        override supports = () => said;
      }
      await expect(codes(new Fine(catalogue))).resolves.toEqual([]);
    });
  });

  describe('classify', () => {
    it.each<[Finding['code'], (error: any) => any]>([
      ['hook-throws', (error) => (error.status === 429 ? 'rate-limited' : undefined)],
      ['hook-throws', () => Promise.reject(new Error('later'))],
      ['hook-nonsense', () => 'retry'],
      ['hook-nonsense', () => null],
      ['hook-nonsense', () => 'ok'],
      ['hook-nonsense', () => ({ kind: 'transient', next: 'accept' })],
      ['hook-nonsense', () => ({})],
      ['rate-limit-stops', () => 'terminal'],
      ['rate-limit-stops', () => Promise.resolve({ kind: 'transient', next: 'stop' })],
      ['rate-limit-stops', (error) => (error?.status >= 400 && error.status < 500 ? 'terminal' : undefined)],
    ])('%s (%s)', async (code, classify) => {
      class Odd extends Shelf {
        override classify = classify;
      }
      await expect(codes(new Odd(catalogue))).resolves.toEqual([code]);
    });

    it.each<[(error: any) => any]>([
      [() => undefined],
      [() => 'transient'],
      [(error) => (error?.status === 401 ? 'terminal' : undefined)],
      [() => Promise.resolve({ kind: 'rate-limited', retryAfter: 1_000 })],
    ])('nothing for %s', async (classify) => {
      class Fine extends Shelf {
        override classify = classify;
      }
      await expect(codes(new Fine(catalogue))).resolves.toEqual([]);
    });
  });

  describe('assess', () => {
    it.each<[Finding['code'], (titles: string[]) => any]>([
      ['hook-throws', (titles) => (titles as any).books.length],
      ['hook-throws', () => Promise.reject(new Error('later'))],
      ['hook-nonsense', () => true],
      ['hook-nonsense', () => ({ kind: 'fine' })],
      ['wrong-kind', () => 'transient'],
      ['wrong-kind', () => 'empty'],
    ])('%s (%s)', async (code, assess) => {
      class Odd extends Shelf {
        override assess = assess;
      }
      const { findings } = await check(new Odd(catalogue), 'answers');
      expect(findings).toEqual([
        { code, situation: 'answers', message: expect.stringMatching(/^answers: .+: let .+/) },
      ]);
    });

    it.each([['ok'], ['thin'], [Promise.resolve({ kind: 'ok' })], [undefined]])('nothing for %p', async (said) => {
      class Fine extends Shelf {
        override assess = (): any => said;
      }
      await expect(codes(new Fine(catalogue), 'answers')).resolves.toEqual([]);
    });
  });

  it.each(['supports', 'classify', 'assess'] as const)(
    'hook-silent: a promise of %s that does not settle',
    async (hook) => {
      const silent = Object.assign(new Shelf(catalogue), { [hook]: never });
      await expect(hastyCodes(silent, 'answers')).resolves.toContain('hook-silent');
      await expect(codes(Object.assign(silent, { [hook]: () => Promise.resolve(true) }))).resolves.not.toContain(
        'hook-silent',
      );
    },
  );
});
