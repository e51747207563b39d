import { describe, expect, it } from '@jest/globals';
import { FallbackConfigurationError, FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import type { ChainOptions } from '../../lib/index.js';
import { DECORATED, FACES, openDecorated, openStreams } from '../support/stream-faces.js';
import type { StreamSetup } from '../support/stream-faces.js';
import { fail } from '../support/stream-sources.js';
import { down } from './commit-cases.js';

const failing = { name: 'a', plays: [fail(down)] };

describe.each(FACES)('thin elements (%s)', (face) => {
  it('a thin stream gives way to a full one, and is closed', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: ['a1', 'a2'], assess: () => 'thin' },
        { name: 'b', plays: ['b1', 'b2'] },
      ],
    });
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['b1', 'b2'], 'complete']);
    expect(streams.attempts).toEqual(['a:thin', 'b:ok']);
    expect(streams.stage.log.filter((line) => line === 'a closed')).toHaveLength(1);
    expect(streams.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
  });

  it('a thin stream is served in full, degraded, if nobody does better', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: ['a1', 'a2'], assess: () => 'thin' },
        { name: 'b', plays: [fail(down)] },
      ],
    });
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['a1', 'a2'], 'complete']);
    expect(streams.stage.log.filter((line) => line === 'a closed')).toHaveLength(1);
    const told = expect.objectContaining({ servedBy: 'a', degraded: true, reason: 'thin' }) as unknown;
    expect(reader.receipt).toEqual(face === 'plain functions' ? undefined : told);
  });
});

describe.each(DECORATED)('marks (%s)', (face) => {
  it('a healthy stream carries no mark', async () => {
    const element = { id: 1 };
    const streams = await openDecorated(face, {
      candidates: [{ name: 'a', plays: [element] }],
      degraded: { substitute: [{ id: 0 }], mark: 'property' },
    });
    const reader = await streams.read();
    expect(reader.elements[0]).toBe(element);
    expect(element).toEqual({ id: 1 });
    expect(receiptOf(element)).toBeUndefined();
  });

  it('receiptOf knows every element of a substitute', async () => {
    const streams = await openDecorated(face, {
      candidates: [failing],
      degraded: { substitute: [{ id: 1 }, { id: 2 }] },
    });
    const reader = await streams.read();
    expect(reader.elements).toEqual([{ id: 1 }, { id: 2 }]);
    for (const element of reader.elements)
      expect(receiptOf(element)).toMatchObject({ source: 'static', degraded: true });
  });

  it('and every element of another candidate than the primary', async () => {
    const streams = await openDecorated(face, { candidates: [failing, { name: 'b', plays: [{ id: 1 }, { id: 2 }] }] });
    const reader = await streams.read();
    for (const element of reader.elements) {
      expect(receiptOf(element)).toMatchObject({ servedBy: 'b', failedOver: true, degraded: false });
    }
    expect(reader.elements).toHaveLength(2);
  });

  it('elements are fresh copies each time', async () => {
    const substitute = [{ tags: ['x'] }];
    const streams = await openDecorated(face, { candidates: [failing], degraded: { substitute } });
    const [first] = (await streams.read()).elements as typeof substitute;
    first!.tags.push('changed');
    expect((await streams.read()).elements).toEqual([{ tags: ['x'] }]);
    expect(substitute).toEqual([{ tags: ['x'] }]);
  });

  it.each([
    ['the first', () => ['plain', { id: 1 }]],
    ['the last', () => [{ id: 1 }, 'plain']],
  ])('%s element that cannot carry the mark: no element is served unmarked, one event', async (_which, substitute) => {
    const streams = await openDecorated(face, { candidates: [failing], degraded: { substitute, mark: 'property' } });
    const reader = await streams.read();
    expect(reader.error).toBeInstanceOf(FallbackExhaustedError);
    for (const element of reader.elements) expect(element).toMatchObject({ degraded: true });
    expect(streams.events.filter(({ name }) => name === 'substitute.unmarkable')).toHaveLength(1);
  });

  it('a computed substitute that fails: exhausted', async () => {
    const substitute = () => {
      throw new Error('no substitute');
    };
    const streams = await openDecorated(face, { candidates: [failing], degraded: { substitute } });
    const reader = await streams.read();
    expect(reader.error).toBeInstanceOf(FallbackExhaustedError);
    expect(reader.elements).toEqual([]);
  });

  it('substitutes switched off: exhausted', async () => {
    const streams = await openDecorated(face, {
      candidates: [failing],
      degraded: { substitute: ['s1'], enabled: () => false },
    });
    expect((await streams.read()).error).toBeInstanceOf(FallbackExhaustedError);
  });

  it('substitutes limited to other kinds: exhausted', async () => {
    const streams = await openDecorated(face, {
      candidates: [failing],
      degraded: { substitute: ['s1'], on: ['timeout'] },
    });
    expect((await streams.read()).error).toBeInstanceOf(FallbackExhaustedError);
  });
});

const WRONG: readonly (readonly [string, Partial<StreamSetup>])[] = [
  ['idleTimeout: 0', { options: { idleTimeout: 0 } }],
  ['idleTimeout without a unit', { options: { idleTimeout: '5' as '5s' } }],
  ['streamDeadline: 0', { options: { streamDeadline: 0 } }],
  ['streamDeadline: NaN', { options: { streamDeadline: NaN } }],
  ['commitWhen that is no function', { options: { commitWhen: true as unknown as () => boolean } }],
  ['errorIn that is no function', { options: { errorIn: 'error' as unknown as () => unknown } }],
  ['collect: 0', { degraded: { lastKnownGood: { maxAge: '1h', collect: 0 } } }],
  ['collect: -1', { degraded: { lastKnownGood: { maxAge: '1h', collect: -1 } } }],
  ['collect: NaN', { degraded: { lastKnownGood: { maxAge: '1h', collect: NaN } } }],
  ['a static list that cannot carry the mark', { degraded: { substitute: ['text'], mark: 'property' } }],
];

describe.each(DECORATED)('start-up refuses (%s)', (face) => {
  it.each(WRONG)('%s', async (_what, wrong) => {
    const opening = openDecorated(face, { candidates: [failing], ...wrong });
    await expect(opening).rejects.toBeInstanceOf(FallbackConfigurationError);
  });

  it.each<ChainOptions>([{ idleTimeout: Infinity }, { streamDeadline: Infinity }, { idleTimeout: '5s' }])(
    'but not %j',
    async (options) => {
      const streams = await openDecorated(face, { candidates: [{ name: 'a', plays: ['a1'] }], options });
      expect((await streams.read()).elements).toEqual(['a1']);
    },
  );
});

it('an unknown kind of stream is refused', () => {
  const options = { stream: 'stream' as 'observable' };
  return expect(openStreams('plain functions', { candidates: [failing], options })).rejects.toBeInstanceOf(
    FallbackConfigurationError,
  );
});
