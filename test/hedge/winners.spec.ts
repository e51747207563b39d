import { describe, expect, it } from '@jest/globals';
import type { ChainOptions, DegradedOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Call, Setup } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');
const race = (rungs: Setup['rungs'], options: ChainOptions = {}, degraded?: DegradedOptions) =>
  open({ rungs, options: { cost: 0, hedge: { after: 0 }, ...options }, ...(degraded && { degraded }) });
const isThin = (value: unknown) => (value === 'thin' ? 'thin' : undefined);
const full = { source: 'candidate', degraded: false };

describe('who wins a hedge', () => {
  it.each([
    ['thin', gives('thin', 5), { assess: isThin }, 'thin'],
    ['vetoed', gives('bad', 5), { accept: (value: unknown) => value !== 'bad' }, 'rejected'],
    ['empty', gives([], 5), {}, 'empty'],
    ['failed', fails(down, 5), {}, 'transient'],
  ])('a %s answer does not win while others run', async (_what, plays, options, kind) => {
    const ladder = await race([
      { name: 'a', plays: gives('a', 30), ...options },
      { name: 'b', plays, ...options },
    ]);
    const call = ladder.begin();
    await ladder.clock.advance(29);
    expect(call.isSettled).toBe(false);
    await ladder.clock.advance(1);
    expect(call.value).toBe('a');
    expect(call.attempts).toEqual(['a:ok', `b:${kind}`]);
    expect(call.receipt).toMatchObject({ servedBy: 'a', failedOver: false, ...full });
  });

  const held: [string, Setup['rungs'][number], (call: Call) => void][] = [
    [
      'thin, marked',
      { name: 'b', plays: gives('thin', 5), assess: isThin },
      (call) => {
        expect(call.value).toBe('thin');
        expect(call.receipt).toMatchObject({ servedBy: 'b', degraded: true, reason: 'thin', failedOver: true });
      },
    ],
    [
      'empty, undegraded',
      { name: 'b', plays: gives([], 5) },
      (call) => {
        expect(call.value).toEqual([]);
        expect(call.receipt).toMatchObject({ servedBy: 'b', ...full });
      },
    ],
  ];
  it.each(held)('what was held is served when nobody did better: %s', async (_what, rung, check) => {
    const ladder = await race([{ name: 'a', plays: fails(down, 30) }, rung]);
    const call = await ladder.call(undefined, 30);
    expect(call.took).toBe(30);
    check(call);
  });

  it('a thin answer starts the next at once, and is better than an empty one', async () => {
    const ladder = await race(
      [
        { name: 'a', plays: gives([], 5) },
        { name: 'b', plays: gives('thin', 5), assess: isThin },
        { name: 'c', plays: fails(down, 5) },
      ],
      { hedge: { after: 1_000 } },
    );
    const call = await ladder.call(undefined, 15);
    expect(call.value).toBe('thin');
    expect(call.attempts).toEqual(['a:empty', 'b:thin', 'c:transient']);
  });

  it("an empty answer that its candidate's onEmpty accepts is an answer", async () => {
    const ladder = await race([
      { name: 'a', plays: gives('a', 30) },
      { name: 'b', plays: gives([], 5), onEmpty: 'accept' },
    ]);
    const call = await ladder.call(undefined, 5);
    expect(call.value).toEqual([]);
    expect(call.attempts).toEqual(['a:cancelled', 'b:empty']);
  });

  it('the degraded answer of a candidate that is declared so wins, marked', async () => {
    const ladder = await race(
      [
        { name: 'a', plays: gives({ from: 'a' }, 30) },
        { name: 'b', plays: gives({ from: 'b' }, 5), degraded: true },
      ],
      {},
      { mark: 'property' },
    );
    const call = await ladder.call(undefined, 5);
    expect(call.value).toEqual({ from: 'b', degraded: true });
    expect(call.attempts).toEqual(['a:cancelled', 'b:ok']);
    expect(ladder.contexts[0]!.signal.aborted).toBe(true);
  });

  it('one that cannot carry its mark wins nothing, and the others go on', async () => {
    const ladder = await race(
      [
        { name: 'a', plays: gives({ from: 'a' }, 30) },
        { name: 'b', plays: gives('bare', 5), degraded: true },
      ],
      {},
      { mark: 'property' },
    );
    const call = await ladder.call(undefined, 30);
    expect(call.value).toEqual({ from: 'a' });
    expect(ladder.eventsNamed('substitute.unmarkable')).toHaveLength(1);
  });

  it('what a candidate says of its ceiling (budget) is no answer: all are free, and go on', async () => {
    const ladder = await race([
      { name: 'a', plays: gives('a', 30) },
      { name: 'b', plays: gives('spent', 5), assess: () => 'budget' },
    ]);
    expect((await ladder.call(undefined, 30)).value).toBe('a');
  });

  it('hooks that take their time do not hold up the others', async () => {
    const ladder = await race([
      { name: 'a', plays: gives('a'), accept: () => ladder.clock.sleep(50).then(() => true) },
      { name: 'b', plays: gives('b', 20) },
    ]);
    const call = await ladder.call(undefined, 20);
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:cancelled', 'b:ok']);
  });

  it('retries stay inside their attempt while the next one runs beside it', async () => {
    const ladder = await race(
      [
        { name: 'a', plays: [fails(down), gives('a')], retries: 3 },
        { name: 'b', plays: hangs },
      ],
      { hedge: { after: 1 } },
    );
    const call = await ladder.call(undefined, 100);
    expect(call.value).toBe('a');
    expect(call.attempts).toEqual(['a:ok', ...(ladder.calls.b === 1 ? ['b:cancelled'] : [])]);
    expect(ladder.calls.a).toBe(2);
    expect(ladder.circuits.a).toBe('closed 0');
  });
});
