/** Order and budget of chains whose candidates give streams, on every face, pulled and pushed. */
import { describe, expect, it } from '@jest/globals';
import { playStream, variants } from '../support/stream-check.js';
import type { StreamCase } from '../support/stream-check.js';
import { FACES, openStreams } from '../support/stream-faces.js';
import type { StreamRung, StreamSetup } from '../support/stream-faces.js';
import { fail, wait } from '../support/stream-sources.js';

const down = new Error('down');
const budget = { limit: 2, per: '1m' } as const;
const dear: StreamRung = { name: 'dear', plays: ['d1', 'd2'], cost: 3 };
const free: StreamRung = { name: 'free', plays: ['f1', 'f2'], cost: 0 };

const cases: StreamCase[] = [
  {
    title: "order: 'cost': the cheapest first",
    candidates: [dear, free],
    options: { order: 'cost' },
    elements: ['f1', 'f2'],
    log: ['free opened', 'free closed'],
    attempts: ['free:ok'],
    receipt: { servedBy: 'free', failedOver: false, cost: 0 },
  },
  {
    title: "order: 'cost': candidate 0 takes over before the commit",
    candidates: [dear, { ...free, plays: [fail(down)] }],
    options: { order: 'cost' },
    elements: ['d1', 'd2'],
    log: ['free opened', 'free closed', 'dear opened', 'dear closed'],
    attempts: ['free:transient', 'dear:ok'],
    circuits: { free: 'closed 1' },
    receipt: { servedBy: 'dear', failedOver: true, cost: 3 },
  },
  {
    title: "F48 order: 'cost': a free stream without elements leads on to one that is paid",
    candidates: [dear, { ...free, plays: [] }],
    options: { order: 'cost' },
    elements: ['d1', 'd2'],
    log: ['free opened', 'free closed', 'dear opened', 'dear closed'],
    attempts: ['free:empty', 'dear:ok'],
  },
  {
    title: 'order: a function of the names',
    candidates: [dear, free],
    options: { order: (names) => names.toReversed() },
    elements: ['f1', 'f2'],
    log: ['free opened', 'free closed'],
    attempts: ['free:ok'],
  },
  {
    title: 'order: a function that names a stranger',
    candidates: [dear, free],
    options: { order: () => ['free', 'stranger'] },
    elements: ['d1', 'd2'],
    log: ['dear opened', 'dear closed'],
    attempts: ['dear:ok'],
    faultyHooks: ['order'],
  },
];

describe('streams: order', () => {
  it.each(variants(cases))('%s', async (_title, each, face, form) => {
    await playStream(each, face, form);
    expect.hasAssertions();
  });
});

describe.each(FACES)('%s: budget', (face) => {
  const open = (candidates: readonly StreamRung[], more: Partial<StreamSetup> = {}) =>
    openStreams(face, { candidates, options: { budget, ...more.options } });

  it('each subscription asks anew; a spent budget leaves what is free', async () => {
    const streams = await open([{ ...dear, cost: 1 }, free]);
    expect((await streams.read()).elements).toEqual(['d1', 'd2']);
    expect((await streams.read()).elements).toEqual(['d1', 'd2']);
    expect((await streams.read()).elements).toEqual(['f1', 'f2']);
    expect(streams.counts('dear')).toEqual({ ok: 2, budget: 1 });
  });

  it('money is spent when the stream begins, however it ends', async () => {
    const streams = await open([{ ...dear, cost: 1, plays: ['d1', wait(100), 'd2'] }, free]);
    streams.stream();
    const left = streams.begin({ take: 1 });
    const reads = streams.begin();
    const third = streams.begin();
    await streams.clock.advance(100);
    expect([left.end, reads.elements, third.elements]).toEqual(['left', ['d1', 'd2'], ['f1', 'f2']]);
    await streams.clock.advance(59_899);
    expect((await streams.read()).elements).toEqual(['f1', 'f2']);
    await streams.clock.advance(1);
    expect((await streams.read(100)).elements).toEqual(['d1', 'd2']);
  });

  it('one that fails before the commit has cost the same', async () => {
    const streams = await open([{ ...dear, plays: [fail(down)] }, free]);
    await streams.read();
    expect((await streams.read()).elements).toEqual(['f1', 'f2']);
    expect(streams.stage.calls).toEqual({ dear: 1, free: 2 });
  });

  it("onBudget: 'stop'", async () => {
    const streams = await open([dear, free], { options: { onBudget: 'stop' } });
    await streams.read();
    const reader = await streams.read();
    expect(reader.elements).toEqual([]);
    expect(reader.error).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
    expect(streams.stage.calls).toEqual({ dear: 1 });
  });
});
