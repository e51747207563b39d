import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FallbackEvent } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { hangs } from '../support/plays.js';
import { compileProgram } from '../support/child-program.js';
import type { ChildProgram } from '../support/child-program.js';
import { unhandledDuring } from '../support/rejections.js';
import { FaultyStore } from '../support/value-stores.js';
import type { Fault } from '../support/value-stores.js';

const HOUR = 3_600_000;
const DOWN = new Error('ECONNREFUSED redis://:secret@cache');

const errorEvent =
  (answer: unknown): Fault =>
  (_operation, store) => {
    // An emitter without a listener would throw here, out of everybody's reach.
    store.clock.setTimer(() => expect(store.emit('error', DOWN)).toBe(true), 10);
    return answer;
  };

/** How a store is broken, and how long an operation on it can take. */
const FAULTS: readonly (readonly [string, Fault, number])[] = [
  ['(a) never settles', () => new Promise(() => {}), 100],
  [
    '(b) throws',
    () => {
      throw DOWN;
    },
    0,
  ],
  ['(c) rejects', () => Promise.reject(DOWN), 0],
  ['(c) rejects with nothing', () => Promise.reject(), 0],
  ['(d) tells of an error later and never settles', errorEvent(new Promise(() => {})), 100],
  ['(d) answers nothing at once and tells of an error later', errorEvent(undefined), 0],
  ['(d) answers nothing late and tells of an error later', errorEvent(Promise.resolve()), 0],
  ['(e) answers after 5 s', (_operation, { clock }) => clock.sleep(5_000).then(() => 'late'), 100],
  [
    '(e) rejects after 5 s',
    (_operation, { clock }) =>
      clock.sleep(5_000).then(() => {
        throw DOWN;
      }),
    100,
  ],
  [
    'tells of an error and answers undefined or false, as Keyv does',
    (operation, store) => {
      store.emit('error', DOWN);
      return Promise.resolve(operation === 'get' ? undefined : false);
    },
    0,
  ],
  ['answers with garbage or false', (operation) => Promise.resolve(operation === 'get' ? '{"broken' : false), 0],
  [
    'gives a thenable that throws',
    () => ({
      // oxlint-disable-next-line unicorn/no-thenable
      then() {
        throw DOWN;
      },
    }),
    0,
  ],
];

const failures = (ladder: Ladder): FallbackEvent[] => ladder.eventsNamed('store.failed');

describe.each(FAULTS)('B19 a store that %s', (_how, fault, takes) => {
  const start = async (more: { substitute?: unknown } = { substitute: 'static' }) => {
    const store = new FaultyStore(fault);
    const state = { answer: 'v1' as string | null };
    const ladder = await open({
      rungs: [
        {
          name: 'a',
          plays: () => (state.answer === null ? Promise.reject(new Error('A is down')) : Promise.resolve(state.answer)),
        },
      ],
      options: { whenOpen: 'ignore' },
      degraded: { lastKnownGood: { maxAge: HOUR }, ...more },
      module: { valueStore: store, storeTimeout: 100 },
    });
    const { clock } = ladder;
    store.clock = clock;
    return { ladder, store, clock, state };
  };

  it('B19 healthy calls do not wait, failing ones get the substitute in time, and it heals', async () => {
    const rejected = await unhandledDuring(async () => {
      const { ladder, store, clock, state } = await start();
      const healthy = ladder.begin('q');
      await clock.advance(0);
      expect(healthy.value).toBe('v1');
      await clock.advance(200);
      expect(failures(ladder)).toMatchObject([{ chain: 'ladder', operation: 'set' }]);

      state.answer = null;
      const failing = ladder.begin('q');
      await clock.advance(Math.max(0, takes - 1));
      expect(failing.isSettled).toBe(takes === 0);
      await clock.advance(1);
      expect(failing.value).toBe('static');
      await clock.advance(200);
      expect(failures(ladder)).toMatchObject([{ operation: 'set' }, { operation: 'get' }]);
      expect(ladder.eventsNamed('store.recovered')).toEqual([]);

      store.fault = null;
      state.answer = 'v2';
      const recovered = ladder.begin('q');
      await clock.advance(0);
      expect(recovered.value).toBe('v2');
      expect(ladder.eventsNamed('store.recovered')).toMatchObject([{ chain: 'ladder' }]);
      state.answer = null;
      await clock.advance(10_000);
      const later = ladder.begin('q');
      await clock.advance(0);
      expect(later.value).toBe('v2');
      expect(later.receipt).toMatchObject({ source: 'last-known-good', age: 10_000 });
      expect(failures(ladder)).toHaveLength(2);
      expect(JSON.stringify(ladder.events)).not.toContain('secret');
    });
    expect(rejected).toEqual([]);
  });

  it('B19 without a substitute: exhausted at that time, never the error of the store', async () => {
    const { ladder, clock, state } = await start({});
    state.answer = null;
    const failing = ladder.begin('q');
    await clock.advance(takes);
    expect(failing.error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
  });
});

describe('B19 the time that a store gets', () => {
  const opened = async (options: object) =>
    open({
      rungs: [{ name: 'a', plays: hangs }],
      options,
      degraded: { lastKnownGood: { maxAge: HOUR }, substitute: 'static' },
      module: { valueStore: new FaultyStore(() => new Promise(() => {})) },
    });

  it('B19 250 ms by default', async () => {
    const ladder = await opened({ timeout: 50 });
    const { clock } = ladder;
    const call = ladder.begin('q');
    await clock.advance(299);
    expect(call.isSettled).toBe(false);
    await clock.advance(1);
    expect(call.value).toBe('static');
  });

  it('B19 no more than the deadline leaves: one event, and no blame on the substitute', async () => {
    const ladder = await opened({ deadline: 200, reserve: 60 });
    const { clock } = ladder;
    const call = await ladder.call('q', 200);
    expect(call.value).toBe('static');
    expect(call.took).toBe(200);
    expect(failures(ladder)).toMatchObject([{ operation: 'get', because: 'timeout' }]);
    expect(ladder.eventsNamed('hook.failed')).toEqual([]);
    await clock.advance(1_000);
    expect(failures(ladder)).toHaveLength(1);
  });

  it('B19 a caller who leaves meanwhile is no failure of the store, and leaves no timer', async () => {
    const ladder = await opened({ timeout: 50 });
    const { clock } = ladder;
    const leaving = new AbortController();
    const call = ladder.begin('q', leaving.signal);
    await clock.advance(60);
    leaving.abort(new Error('gone'));
    await clock.advance(0);
    expect(call.error).toBe(leaving.signal.reason);
    expect(clock.refd).toBe(0);
    await clock.advance(1_000);
    expect(failures(ladder)).toEqual([]);
  });
});

describe('B19 in a process of its own', () => {
  let program: ChildProgram;
  beforeAll(async () => {
    program = await compileProgram(new URL('programs/b19-store-is-down.ts', import.meta.url).pathname);
  }, 60_000);
  afterAll(() => program.remove());

  it.each(['hangs', 'emits'])(
    'B19 it %s: the process survives, and ends without waiting for the store',
    async (how) => {
      const { code, stdout, stderr } = await program.run([], [how]);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      const said = JSON.parse(stdout) as { healthy: string; failing: string; events: string[]; left: string[] };
      expect(said).toMatchObject({ healthy: 'v1', failing: 'static', left: [] });
      expect(said.events).toEqual(['store.failed set', 'store.failed get']);
    },
  );
});
