import type { CircuitOutcome, CircuitPermit } from '../../../lib/index.js';
import { admitting, isOpen } from './breaking.js';
import type { Entry } from './breaking.js';

export const CONTROL: readonly Entry[] = [
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
  [
    'denies after a restore what was denied before',
    ['restore-lost'],
    ({ record, control }) => {
      const denied = new Map<string, CircuitOutcome>();
      return {
        record: (key, outcome) => {
          if (outcome.kind === 'denied') denied.set(key, outcome);
          return record(key, outcome);
        },
        control: async (key, action) => {
          await control(key, action);
          if (action === 'restore' && denied.has(key)) await record(key, denied.get(key)!);
        },
      };
    },
  ],
];
