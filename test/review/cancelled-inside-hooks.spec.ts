import { describe, expect, it } from '@jest/globals';
import { receiptOf } from '../../lib/index.js';
import type { CandidateOptions, OutcomeKind } from '../../lib/index.js';
import { Heard } from '../support/core-call.js';
import { createFallbackChain } from '../../lib/core/index.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Step } from '../support/plays.js';

const blip = new Error('blip');
const gone = new Error('gone');
const never = () => new Promise<never>(() => {});

/** Hooks that end the call from inside, by when they answer. */
const WHEN: Readonly<Record<string, (abort: () => void, said: unknown) => unknown>> = {
  'at once': (abort, said) => (abort(), said),
  'with a throw': (abort) => {
    abort();
    throw blip;
  },
  'with a promise': (abort, said) => (abort(), Promise.resolve(said)),
  later: (abort, said) => Promise.resolve().then(() => (abort(), said)),
  'with a promise that never settles': (abort) => (abort(), never()),
  'with a rejection': (abort) => (abort(), Promise.reject(blip)),
};
const SYNC = ['at once', 'with a throw'];
const ALL = Object.keys(WHEN);

interface HookCase {
  readonly hook: keyof CandidateOptions;
  readonly said: unknown;
  readonly plays: Step;
  readonly own?: CandidateOptions;
}
const VALUE_HOOKS: readonly HookCase[] = [
  { hook: 'accept', said: true, plays: gives('b') },
  { hook: 'accept', said: false, plays: gives('b') },
  { hook: 'isEmpty', said: true, plays: gives('b'), own: { onEmpty: 'continue' } },
  { hook: 'assess', said: undefined, plays: gives('b') },
  { hook: 'assess', said: 'rejected', plays: gives('b') },
  { hook: 'assess', said: 'thin' satisfies OutcomeKind, plays: gives('b') },
  { hook: 'classify', said: undefined, plays: fails(blip) },
  { hook: 'classify', said: 'transient', plays: fails(blip) },
  { hook: 'classify', said: 'terminal', plays: fails(blip) },
  { hook: 'classify', said: 'transient', plays: fails(blip), own: { retries: 3 } },
];
const SUPPORTS: readonly HookCase[] = [
  { hook: 'supports', said: true, plays: gives('b') },
  { hook: 'supports', said: false, plays: gives('b') },
  { hook: 'supports', said: true, plays: gives('b'), own: { timeout: 50 } },
  { hook: 'supports', said: true, plays: gives('b'), own: { timeout: () => 50 } },
];
const ON: HookCase = { hook: 'on', said: true, plays: gives('b') };
const TIMEOUT: HookCase = { hook: 'timeout', said: 50, plays: gives('b') };
const LATE_SUPPORTS: CandidateOptions = { supports: () => Promise.resolve(true) };
const DEAF_SUPPORTS: CandidateOptions = { supports: never };
/** What a hook says that is not armed: go on. */
const CALM: Readonly<Record<string, unknown>> = { accept: true, isEmpty: false, supports: true, on: true, timeout: 50 };

const rows: readonly (HookCase & { readonly when: string; readonly more: string })[] = [
  ...[...VALUE_HOOKS, ...SUPPORTS].flatMap((one) => ALL.map((when) => ({ ...one, when }))),
  ...[ON, { ...ON, said: false }, TIMEOUT].flatMap((one) => SYNC.map((when) => ({ ...one, when }))),
  { ...TIMEOUT, own: LATE_SUPPORTS, when: 'at once' },
  { ...TIMEOUT, own: DEAF_SUPPORTS, when: 'at once' },
  { ...TIMEOUT, own: DEAF_SUPPORTS, said: undefined, when: 'at once' },
].map((row) => ({ ...row, more: row.own === undefined ? '' : ` (${Object.keys(row.own).join()})` }));

/** b's hook ends the call of `caller` while it is armed. */
async function start({ hook, said, plays, when, own }: (typeof rows)[number]) {
  const caller = new AbortController();
  let isArmed = true;
  let step = plays;
  const ask = () => (isArmed ? WHEN[when]!(() => caller.abort(gone), said) : CALM[hook]);
  const ladder = await open({
    rungs: [
      { name: 'a', plays: fails(blip), whenOpen: 'ignore' },
      { ...own, name: 'b', plays: (...given) => step(...given), [hook]: ask },
      { name: 'c', plays: gives('c') },
    ],
    options: { breaker: { threshold: 1 } },
    degraded: { substitute: 'substitute' },
  });
  const set = (is: boolean, next: Step): void => {
    isArmed = is;
    step = next;
  };
  return { ladder, caller, set };
}

describe('the caller aborts: its reason at once, nothing further runs, no health effect, kind cancelled', () => {
  it.each(rows)('inside $hook$more that says $said $when', async (row) => {
    const { hook, own } = row;
    const { ladder, caller } = await start(row);
    const call = ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(0);
    expect(call.outcome).toEqual({ error: gone });
    expect(call.error).toBe(gone);
    expect(call.took).toBe(0);
    await ladder.clock.advance(10_000);
    const ran = hook !== 'supports' && hook !== 'on' && hook !== 'timeout';
    expect(ladder.calls).toEqual({ a: 1, b: ran ? 1 : 0, c: 0 });
    expect(ladder.circuits.b).toBe('closed 0');
    expect(receiptOf(gone)).toMatchObject({ stoppedBy: 'cancelled', servedBy: null });
    const begun = call.attempts.filter((attempt) => /^b:(?!skipped)/.test(attempt));
    // Behind an asynchronous `supports` it may not have begun yet.
    const mayHave = ran || (hook === 'timeout' && own?.supports === undefined) ? ['b:cancelled'] : [];
    expect(begun).toEqual(mayHave);
    expect(ladder.eventsNamed('call.stopped', 'call.served', 'call.exhausted')).toMatchObject([
      { name: 'call.stopped', kind: 'cancelled' },
    ]);
    expect(ladder.clock.refd).toBe(0);
  });
});

describe('the caller aborts in a probe: its permit is free afterwards', () => {
  // A deaf `supports` never lets a probe begin.
  const probes = rows.filter(({ own }) => own !== DEAF_SUPPORTS);

  it.each(probes)('inside $hook$more that says $said $when', async (row) => {
    const { ladder, caller, set } = await start(row);
    set(false, fails(blip));
    await ladder.call(undefined, 1_000);
    expect(ladder.circuits.b).toMatch(/^open 1 for/);
    await ladder.clock.advance(5_000);
    set(true, row.plays);
    const call = ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(0);
    expect(call.outcome).toEqual({ error: gone });
    expect(ladder.circuits.b).toBe('half-open 1');
    set(false, gives('b'));
    const next = await ladder.call();
    expect(next.value).toBe('b');
    expect(ladder.circuits.b).toBe('closed 0');
  });
});

describe('the caller aborts inside what only listens', () => {
  it('onAttempt of a failure: nobody else is called', async () => {
    const caller = new AbortController();
    const heard = new Heard();
    let calls = 0;
    const chain = createFallbackChain<string>([() => Promise.reject(blip), () => (calls++, 'b')], {
      signal: caller.signal,
      onAttempt: (record, raw) => {
        heard.onAttempt(record, raw);
        caller.abort(gone);
      },
    });
    await expect(chain.run()).rejects.toBe(gone);
    expect(calls).toBe(0);
    expect(heard.kinds).toEqual(['candidate0:transient']);
  });
});
