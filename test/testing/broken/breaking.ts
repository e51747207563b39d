import type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from '../../../lib/index.js';
import { MemoryHealthStore } from '../../../lib/testing/index.js';
import type { HealthStoreRule, StoreFindingCode } from '../../../lib/testing/index.js';

export type Good = Required<Pick<HealthStore, 'admit' | 'record' | 'control' | 'subscribe'>>;
export type Break = (good: Good) => Partial<Good>;

export const DUE = { epoch: -1, health: 'ignore', kind: 'cancelled' } as const;

/** The same store with some answers of its `admit` changed. */
export const admitting =
  (change: (permit: CircuitPermit) => Partial<CircuitPermit>): Break =>
  ({ admit }) => ({
    admit: async (key, options) => {
      const permit = await admit(key, options);
      return { ...permit, ...change(permit) };
    },
  });

/** The same store that is told something else. */
export const hearing =
  (change: (outcome: CircuitOutcome, now: CircuitReading, key: string) => Partial<CircuitOutcome>): Break =>
  ({ record }) => ({
    record: async (key, outcome) => {
      const now = await record(key, { ...DUE, breaker: outcome.breaker });
      return record(key, { ...outcome, ...change(outcome, now, key) });
    },
  });

export const counting =
  (
    change: (breaker: CircuitOutcome['breaker'], outcome: CircuitOutcome) => Partial<CircuitOutcome['breaker']>,
  ): Break =>
  ({ record }) => ({
    record: (key, outcome) =>
      record(key, { ...outcome, breaker: { ...outcome.breaker, ...change(outcome.breaker, outcome) } }),
  });

export const answering =
  (change: (reading: CircuitReading, outcome: CircuitOutcome) => Partial<CircuitReading>): Break =>
  ({ record }) => ({
    record: async (key, outcome) => {
      const reading = await record(key, outcome);
      return { ...reading, ...change(reading, outcome) };
    },
  });

/** What several do at once is done without looking what the others do. */
export function busy<A extends unknown[], T>(work: (isCrowded: boolean, ...args: A) => Promise<T>) {
  let working = 0;
  return async (...args: A): Promise<T> => {
    working++;
    await Promise.resolve();
    const answer = await work(working > 1, ...args);
    working--;
    return answer;
  };
}

export const without = <T extends object, K extends keyof T>(of: T, ...keys: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;

export const isOpen = ({ state }: CircuitReading): boolean => state === 'open';
export const isLate = ({ epoch }: CircuitOutcome, now: CircuitReading): boolean => epoch !== now.epoch;

export type Entry = [what: string, codes: (HealthStoreRule | StoreFindingCode | '…')[], broken: Break];

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
