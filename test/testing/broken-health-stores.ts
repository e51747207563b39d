import type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from '../../lib/index.js';
import { MemoryHealthStore } from '../../lib/testing/index.js';
import type { HealthStoreRule, StoreFindingCode } from '../../lib/testing/index.js';

type Good = Required<Pick<HealthStore, 'admit' | 'record' | 'control' | 'subscribe'>>;
type Break = (good: Good) => Partial<Good>;

const DUE = { epoch: -1, health: 'ignore', kind: 'cancelled' } as const;

/** The same store with some answers of its `admit` changed. */
const admitting =
  (change: (permit: CircuitPermit) => Partial<CircuitPermit>): Break =>
  ({ admit }) => ({
    admit: async (key, options) => {
      const permit = await admit(key, options);
      return { ...permit, ...change(permit) };
    },
  });

/** The same store that is told something else. */
const hearing =
  (change: (outcome: CircuitOutcome, now: CircuitReading, key: string) => Partial<CircuitOutcome>): Break =>
  ({ record }) => ({
    record: async (key, outcome) => {
      const now = await record(key, { ...DUE, breaker: outcome.breaker });
      return record(key, { ...outcome, ...change(outcome, now, key) });
    },
  });

const counting =
  (
    change: (breaker: CircuitOutcome['breaker'], outcome: CircuitOutcome) => Partial<CircuitOutcome['breaker']>,
  ): Break =>
  ({ record }) => ({
    record: (key, outcome) =>
      record(key, { ...outcome, breaker: { ...outcome.breaker, ...change(outcome.breaker, outcome) } }),
  });

const answering =
  (change: (reading: CircuitReading, outcome: CircuitOutcome) => Partial<CircuitReading>): Break =>
  ({ record }) => ({
    record: async (key, outcome) => {
      const reading = await record(key, outcome);
      return { ...reading, ...change(reading, outcome) };
    },
  });

/** What several do at once is done without looking what the others do. */
function busy<A extends unknown[], T>(work: (isCrowded: boolean, ...args: A) => Promise<T>) {
  let working = 0;
  return async (...args: A): Promise<T> => {
    working++;
    await Promise.resolve();
    const answer = await work(working > 1, ...args);
    working--;
    return answer;
  };
}

const without = <T extends object, K extends keyof T>(of: T, ...keys: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;

const isOpen = ({ state }: CircuitReading): boolean => state === 'open';
const isLate = ({ epoch }: CircuitOutcome, now: CircuitReading): boolean => epoch !== now.epoch;

type Entry = [what: string, codes: (HealthStoreRule | StoreFindingCode | '…')[], broken: Break];

/** Each breaks one rule. Those with an ellipsis break others with it, since what they do is wrong there too. */
export const BROKEN: readonly Entry[] = [
  [
    'makes a circuit when it is asked',
    ['unknown-key'],
    ({ admit }) => {
      const asked = new Set<string>();
      return {
        admit: async (key, options) => {
          const permit = await admit(key, options);
          const isKnown = permit.epoch !== 0 || !asked.has(key);
          asked.add(key);
          return isKnown ? permit : { ...permit, epoch: 7 };
        },
      };
    },
  ],
  [
    'makes a circuit by a success',
    ['healthy-key'],
    ({ record }) => ({
      record: async (key, outcome) => {
        if (outcome.health === 'success') await record(key, { ...outcome, epoch: -1, health: 'failure' });
        return record(key, outcome);
      },
    }),
  ],
  ['opens one failure early', ['opens-early', '…'], counting(({ threshold }) => ({ threshold: threshold - 1 }))],
  [
    'opens by the advice of a failure that is not due',
    ['opens-early'],
    hearing(({ openFor, kind }) => ({ kind: openFor !== undefined && openFor > 0 ? 'rate-limited' : kind })),
  ],
  ['never opens', ['never-opens', '…'], counting(() => ({ threshold: 1e9, mode: 'consecutive' }))],
  [
    'lets calls in while it is open',
    ['never-opens', '…'],
    admitting(({ state }) => ({ granted: state !== 'isolated' })),
  ],
  [
    'counts in seconds',
    ['wrong-cooldown', '…'],
    admitting(({ retryIn, state }) => (state === 'open' ? { retryIn: retryIn / 1000 } : {})),
  ],
  [
    'opens once for each of many failures',
    ['opens-twice', '…'],
    ({ record }) => ({
      record: busy(async (isCrowded, key: string, outcome: CircuitOutcome) => {
        const reading = await record(key, outcome);
        if (!isCrowded || !isOpen(reading)) return reading;
        return record(key, { ...outcome, openFor: reading.retryIn! + 1_000 });
      }),
    }),
  ],
  [
    'does not forget by a success',
    ['success-forgotten', '…'],
    hearing(({ health }, now) => (health === 'success' && now.state === 'closed' ? { health: 'ignore' } : {})),
  ],
  ['cools always the same', ['cooldown-stays'], counting(() => ({ factor: 1 }))],
  [
    'grows without bounds',
    ['cooldown-unbounded'],
    counting((_, { kind }) => (kind === 'denied' ? {} : { maxCooldown: 1e9 })),
  ],
  [
    'remembers openings over a closing',
    ['cooldown-kept'],
    ({ record }) => {
      const closed = new Set<string>();
      return {
        record: async (key, outcome) => {
          const { breaker } = outcome;
          const cooldown = closed.has(key) ? (breaker.cooldown as number) * breaker.factor : breaker.cooldown;
          const { state } = await record(key, { ...DUE, breaker });
          if (state === 'half-open' && outcome.health === 'success') closed.add(key);
          return record(key, { ...outcome, breaker: { ...breaker, cooldown } });
        },
      };
    },
  ],
  ['cools for ever so short', ['zero-cooldown'], counting(({ cooldown }) => ({ cooldown: (cooldown as number) || 1 }))],
  [
    'folds keys',
    ['keys-mixed'],
    ({ admit, record, control }) => ({
      admit: (key, options) => admit(key.toLowerCase(), options),
      record: (key, outcome) => record(key.toLowerCase(), outcome),
      control: (key, action) => control(key.toLowerCase(), action),
    }),
  ],
  ['knows no rates', ['rate-ignored'], counting(() => ({ mode: 'consecutive' }))],
  ['takes shares of few', ['rate-ignored'], counting(() => ({ volume: 1 }))],
  ['has one endless window', ['rate-remembers'], counting(() => ({ window: 1e9 }))],

  [
    'stays open for ever',
    ['never-due'],
    admitting(({ state, granted }) => (state === 'half-open' && granted ? { granted: false, retryIn: 1e6 } : {})),
  ],
  [
    'lets everybody in who asks at once',
    ['two-probes'],
    ({ admit }) => {
      let last: CircuitPermit;
      return {
        admit: busy(async (isCrowded, key: string, options: { lease: number }) => {
          const permit = await admit(key, options);
          if (permit.probe) last = permit;
          return isCrowded && permit.state === 'half-open' ? last : permit;
        }),
      };
    },
  ],
  ['does not say that it is the probe', ['probe-unmarked'], admitting(() => ({ probe: false }))],
  [
    'says nothing of the lease',
    ['wrong-lease'],
    admitting(({ state, granted }) => (state === 'half-open' && !granted ? { retryIn: 0 } : {})),
  ],
  [
    'never ends a lease',
    ['lease-never-ends'],
    ({ admit }) => ({
      admit: async (key) => {
        const permit = await admit(key, { lease: 1e9 });
        return { ...permit, ...(permit.state === 'half-open' && { retryIn: Math.min(permit.retryIn, 60_000) }) };
      },
    }),
  ],
  [
    'takes the late word of an earlier probe',
    ['late-probe-counts'],
    hearing(({ epoch }, now) => (now.state === 'half-open' && epoch > 0 ? { epoch: now.epoch } : {})),
  ],
  [
    'never closes',
    ['never-closes', '…'],
    hearing(({ health, kind }, { state }) =>
      state === 'half-open' && health === 'success' && kind === 'ok' ? { health: 'ignore', kind: 'cancelled' } : {},
    ),
  ],
  [
    'only counts the failure of a probe',
    ['probe-failure-lost'],
    hearing(({ health }, { state }) => (state === 'half-open' && health === 'failure' ? { health: 'ignore' } : {})),
  ],
  [
    'frees no probe',
    ['probe-not-freed'],
    hearing(({ health, kind }) => (health === 'ignore' && kind !== 'terminal' ? { epoch: -1 } : {})),
  ],
  [
    'takes terminal for any ignored outcome',
    ['terminal-keeps-open'],
    hearing(({ kind }) => (kind === 'terminal' ? { kind: 'cancelled' } : {})),
  ],

  [
    'counts late failures',
    ['late-failure-counts', '…'],
    hearing((outcome, now) =>
      outcome.health === 'failure' && now.state === 'closed' && isLate(outcome, now) ? { epoch: now.epoch } : {},
    ),
  ],
  [
    'counts late successes',
    ['late-success-counts'],
    hearing((outcome, now) =>
      outcome.health === 'success' && isOpen(now) && isLate(outcome, now) ? { epoch: now.epoch } : {},
    ),
  ],
  [
    'takes epoch 0 for late',
    ['unknown-period-lost'],
    hearing(({ epoch }, now) => (epoch === 0 && now.epoch !== 0 ? { epoch: -1 } : {})),
  ],
  [
    'does not hear of tries of an open circuit',
    ['last-resort-lost'],
    hearing(({ health }, now) => (health === 'success' && isOpen(now) ? { epoch: -1 } : {})),
  ],
  [
    'opens once more by tries of an open circuit',
    ['last-resort-extends'],
    hearing((outcome, now) =>
      outcome.health === 'failure' && isOpen(now) && !isLate(outcome, now) ? { openFor: 70_000 } : {},
    ),
  ],
  [
    'begins anew with small epochs',
    ['epoch-small'],
    ({ admit, record, subscribe }) => {
      const births = new Map<string, number>();
      const small = <T extends { epoch: number }>(key: string, of: T): T => {
        if (of.epoch !== 0 && !births.has(key)) births.set(key, of.epoch - 1);
        return of.epoch === 0 ? of : { ...of, epoch: of.epoch - births.get(key)! };
      };
      const big = (key: string, epoch: number) => (epoch > 0 ? epoch + (births.get(key) ?? 0) : epoch);
      return {
        admit: async (key, options) => small(key, await admit(key, options)),
        record: async (key, outcome) => small(key, await record(key, { ...outcome, epoch: big(key, outcome.epoch) })),
        subscribe: (listener) => subscribe((change) => listener(small(change.key, change))),
      };
    },
  ],
  [
    'says old epochs',
    ['epoch-falls'],
    answering(({ state, epoch }, { health }) =>
      state === 'isolated' && health === 'failure' ? { epoch: epoch - 2 } : {},
    ),
  ],
  [
    'forgets what is told at the same time',
    ['id-counts-twice'],
    ({ record }) => ({
      record: busy(async (isCrowded, key: string, outcome: CircuitOutcome) =>
        record(key, isCrowded ? (without(outcome, 'id') as CircuitOutcome) : outcome),
      ),
    }),
  ],
  ['takes all ids for one', ['id-hides-others'], hearing(({ id }) => (id === undefined ? {} : { id: 'id' }))],
  [
    'forgets the last success when it is reset',
    ['last-success-lost'],
    ({ admit, control }) => {
      const reset = new Set<string>();
      return {
        admit: async (key, options) => {
          const permit = await admit(key, options);
          return reset.has(key) ? (without(permit, 'lastServedAt') as CircuitPermit) : permit;
        },
        control: async (key, action) => {
          if (action === 'reset') reset.add(key);
          return control(key, action);
        },
      };
    },
  ],
  [
    'keeps the last success in seconds',
    ['last-success-wrong'],
    admitting(({ lastServedAt }) => (lastServedAt === undefined ? {} : { lastServedAt: lastServedAt / 1000 })),
  ],

  [
    'hears no advice of rate limits',
    ['advice-lost', '…'],
    hearing(({ kind, openFor, epoch }, now) =>
      kind === 'rate-limited' && openFor! > 0 && now.epoch === 0 && epoch === 0 ? { kind: 'transient' } : {},
    ),
  ],
  [
    'prefers its cooldown',
    ['cooldown-over-advice'],
    ({ record }) => ({
      record: (key, outcome) =>
        record(
          key,
          outcome.openFor && outcome.kind === 'transient' && outcome.epoch > 0
            ? (without(outcome, 'openFor') as CircuitOutcome)
            : outcome,
        ),
    }),
  ],
  [
    'takes no delay for no advice',
    ['zero-advice-opens'],
    ({ record }) => ({
      record: (key, outcome) =>
        record(key, outcome.openFor === 0 ? (without(outcome, 'openFor') as CircuitOutcome) : outcome),
    }),
  ],
  [
    'hears no late advice',
    ['late-advice-lost'],
    hearing((outcome, now) =>
      outcome.epoch === -1 && now.state === 'closed' ? { openFor: 0 } : {},
    ),
  ],
  [
    'believes the last advice',
    ['advice-shortened'],
    ({ record }) => ({
      record: async (key, outcome) => {
        const now = await record(key, { ...DUE, breaker: outcome.breaker });
        const isShorter = outcome.openFor! < (now.retryIn ?? 0);
        if (!isOpen(now) || !isShorter) return record(key, outcome);
        await record(key, { ...outcome, health: 'success', epoch: now.epoch });
        return record(key, { ...outcome, kind: 'rate-limited' });
      },
    }),
  ],
  ['insists on all', ['insists-unsaid'], answering((reading) => ({ insists: isOpen(reading) }))],
  ['insists on nothing', ['insists-unsaid'], admitting(() => ({ insists: false }))],
  ['counts denials', ['denial-lost'], hearing(({ kind }) => (kind === 'denied' ? { kind: 'transient' } : {}))],
  [
    'opens by every denial',
    ['denial-at-once'],
    hearing(({ kind, breaker }) =>
      kind === 'denied' ? { kind: 'rate-limited', openFor: breaker.maxCooldown as number } : {},
    ),
  ],

  [
    'sends Infinity as JSON',
    ['nonsense'],
    admitting((permit) => JSON.parse(JSON.stringify(permit)) as Partial<CircuitPermit>),
  ],
  [
    'lets isolated ones wait a while',
    ['isolate-lost'],
    admitting(({ state }) => (state === 'isolated' ? { retryIn: 1_000 } : {})),
  ],
  [
    'does not isolate what it does not know',
    ['isolate-lost', '…'],
    ({ record, control }) => {
      const known = new Set<string>();
      return {
        record: (key, outcome) => {
          known.add(key);
          return record(key, outcome);
        },
        control: async (key, action) => (known.has(key) ? control(key, action) : undefined),
      };
    },
  ],
  [
    'probes what is isolated',
    ['isolated-probed'],
    ({ admit, record }) => {
      const due = new Map<string, number>();
      return {
        record: async (key, outcome) => {
          const reading = await record(key, outcome);
          if (isOpen(reading) && reading.retryIn! < 1_000) due.set(key, reading.retryIn!);
          return reading;
        },
        admit: async (key, options) => {
          const permit = await admit(key, options);
          return permit.state === 'isolated' && due.has(key) ? { ...permit, granted: true, retryIn: 0 } : permit;
        },
      };
    },
  ],
  [
    'does not restore',
    ['restore-lost', '…'],
    ({ control }) => ({ control: async (key, action) => (action === 'restore' ? undefined : control(key, action)) }),
  ],
  [
    'restores what is not isolated',
    ['restore-lost'],
    ({ control, admit }) => ({
      control: async (key, action) => {
        const { state } = await admit(key, { lease: 1 });
        return control(key, action === 'restore' && state === 'open' ? 'reset' : action);
      },
    }),
  ],
  [
    'leaves isolated ones isolated when they are reset',
    ['reset-lost'],
    ({ control, admit }) => ({
      control: async (key, action) => {
        const { state } = await admit(key, { lease: 1 });
        if (action !== 'reset' || state !== 'isolated') await control(key, action);
      },
    }),
  ],
  [
    'goes on with the same period after a reset',
    ['control-keeps-period'],
    ({ record, control }) => {
      const reset = new Set<string>();
      return {
        record: (key, outcome) => record(key, { ...outcome, ...(reset.has(key) && outcome.epoch > 0 && { epoch: 0 }) }),
        control: async (key, action) => {
          if (action === 'reset') reset.add(key);
          return control(key, action);
        },
      };
    },
  ],
  [
    'forgets advice by an isolation',
    ['isolation-forgets-advice', '…'],
    ({ control }) => ({
      control: async (key, action) => {
        if (action === 'isolate') await control(key, 'reset');
        return control(key, action);
      },
    }),
  ],

  ['tells nobody', ['change-untold'], () => ({ subscribe: () => () => {} })],
  [
    'tells of keys by its own names',
    ['change-untold'],
    ({ subscribe }) => ({
      subscribe: (listener) => subscribe((change) => listener({ ...change, key: `app:${change.key}` })),
    }),
  ],
  [
    'does not tell the first failure',
    ['change-untold'],
    ({ subscribe }) => ({
      subscribe: (listener) => subscribe((change) => change.failures === 1 || listener(change)),
    }),
  ],
  [
    'tells twice',
    ['change-told-twice'],
    ({ subscribe }) => ({
      subscribe: (listener) =>
        subscribe((change) => {
          listener(change);
          listener(change);
        }),
    }),
  ],
  [
    'tells of probes',
    ['change-invented'],
    ({ admit, subscribe }) => {
      const listeners = new Set<Parameters<Good['subscribe']>[0]>();
      return {
        admit: async (key, options) => {
          const permit = await admit(key, options);
          const change = { key, state: 'half-open', epoch: permit.epoch, openUntil: 1 } as const;
          if (permit.probe) for (const listener of listeners) listener(change);
          return permit;
        },
        subscribe: (listener) => {
          const end = subscribe(listener);
          listeners.add(listener);
          return () => {
            end();
            listeners.delete(listener);
          };
        },
      };
    },
  ],
  [
    'tells of the period before',
    ['change-differs'],
    ({ subscribe }) => ({
      subscribe: (listener) => subscribe((change) => listener({ ...change, epoch: change.epoch - 1 })),
    }),
  ],
  [
    'goes on to tell who has left',
    ['told-after-leaving'],
    ({ subscribe }) => ({
      subscribe: (listener) => {
        subscribe(listener);
        return () => {};
      },
    }),
  ],

  ['never answers', ['silent'], () => ({ record: () => new Promise(() => {}) })],
  ['fails', ['rejects', '…'], () => ({ control: () => Promise.reject(new Error('not today')) })],
  [
    'throws',
    ['rejects'],
    () => ({
      admit: () => {
        throw new Error('not today');
      },
    }),
  ],
  ['answers nothing', ['nonsense'], () => ({ admit: async () => undefined as never })],
  ['answers OK', ['nonsense'], () => ({ record: async () => 'OK' as never })],
  ['has states of its own', ['nonsense'], answering((reading) => (isOpen(reading) ? { state: 'OPEN' as never } : {}))],
];

/** A store that is right in all but what `make` breaks. */
export function brokenStore(make: Break, clock?: ConstructorParameters<typeof MemoryHealthStore>[0]): HealthStore {
  const store = new MemoryHealthStore(clock);
  const good: Good = {
    admit: store.admit.bind(store),
    record: store.record.bind(store),
    control: store.control.bind(store),
    subscribe: store.subscribe.bind(store),
  };
  return { ...good, ...make(good) };
}
