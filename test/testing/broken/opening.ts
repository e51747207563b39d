import type { CircuitOutcome } from '../../../lib/index.js';
import { DUE, admitting, busy, counting, hearing, isOpen } from './breaking.js';
import type { Entry } from './breaking.js';

export const OPENING: readonly Entry[] = [
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
  [
    'cools for ever so short',
    ['zero-cooldown'],
    counting(({ cooldown }) => ({ cooldown: cooldown === 0 ? 1 : cooldown })),
  ],
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
  ['opens by two failures of any window', ['rate-ignored'], counting(() => ({ share: 0.3 }))],
];
