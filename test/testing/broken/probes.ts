import type { CircuitPermit } from '../../../lib/index.js';
import { admitting, busy, hearing } from './breaking.js';
import type { Entry } from './breaking.js';

export const PROBES: readonly Entry[] = [
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
    'takes epoch 0 for the present one, whatever the state',
    ['late-probe-counts'],
    hearing(({ epoch }, now) => (epoch === 0 && now.state === 'half-open' ? { epoch: now.epoch } : {})),
  ],
];
