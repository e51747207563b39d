import type { CircuitOutcome } from '../../../lib/index.js';
import { DUE, admitting, answering, hearing, isOpen, without } from './breaking.js';
import type { Entry } from './breaking.js';

export const ADVICE: readonly Entry[] = [
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
    hearing((outcome, now) => (outcome.epoch === -1 && now.state === 'closed' ? { openFor: 0 } : {})),
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
    ['denial-at-once', '…'],
    hearing(({ kind, breaker }) =>
      kind === 'denied' ? { kind: 'rate-limited', openFor: breaker.maxCooldown as number } : {},
    ),
  ],
];
