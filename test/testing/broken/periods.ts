import type { CircuitOutcome, CircuitPermit, CircuitReading } from '../../../lib/index.js';
import { admitting, answering, busy, hearing, isLate, isOpen, without } from './breaking.js';
import type { Entry } from './breaking.js';

export const PERIODS: readonly Entry[] = [
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
    'answers again what it has answered',
    ['id-answers-past'],
    ({ record }) => {
      const answers = new Map<string, CircuitReading>();
      return {
        record: async (key, outcome) => {
          const known = outcome.id === undefined ? undefined : answers.get(key + outcome.id);
          const reading = known ?? (await record(key, outcome));
          if (outcome.id !== undefined) answers.set(key + outcome.id, reading);
          return reading;
        },
      };
    },
  ],
  [
    'counts failures for ever',
    ['failures-wrong'],
    answering((_, { health }) => (health === 'success' ? { failures: 2 } : {})),
  ],
  [
    'says that all is transient',
    ['kind-wrong'],
    answering((reading) => (isOpen(reading) ? { kind: 'transient' } : {})),
  ],
];
