/** Random programs for a health store: what a fleet tells it and asks it, and how time goes on. */
import * as fc from 'fast-check';
import type { CircuitOutcome, OutcomeKind } from '../../lib/core/index.js';
import { RULINGS } from '../../lib/core/verdict.js';

const CONSECUTIVE = { mode: 'consecutive', window: 60_000, volume: 20, share: 0.3 } as const;
export const BREAKERS: readonly CircuitOutcome['breaker'][] = [
  { threshold: 3, cooldown: 5_000, factor: 2, maxCooldown: 300_000, ...CONSECUTIVE },
  { threshold: 1, cooldown: 100, factor: 1.5, maxCooldown: 1_000.25, ...CONSECUTIVE },
  { threshold: 2, cooldown: 0, factor: 1, maxCooldown: Infinity, ...CONSECUTIVE },
  {
    threshold: Infinity,
    cooldown: 1_000,
    factor: 2,
    maxCooldown: 8_000,
    mode: 'rate',
    window: 1_000,
    volume: 3,
    share: 0.5,
  },
  { threshold: 4, cooldown: 10, factor: 3, maxCooldown: 50, mode: 'rate', window: 333.3, volume: 2, share: 1 },
];

export type Step =
  | { do: 'admit'; key: string; lease: number }
  | {
      do: 'record';
      key: string;
      /** which of the epochs that were told, counted from the last */
      back: number;
      /** instead: one that was perhaps not told */
      epoch: number | undefined;
      kind: OutcomeKind;
      openFor: number | undefined;
      /** instead of the program's own, as while a new version is rolled out */
      breaker: CircuitOutcome['breaker'] | undefined;
      id: string | undefined;
    }
  | { do: 'control'; key: string; action: 'isolate' | 'restore' | 'reset' }
  | { do: 'wait'; for: number }
  /** to the moment in which the circuit may be probed, or a little before */
  | { do: 'come'; key: string; early: number };

/** Once in so many times. */
const sometimes = <T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const key = fc.oneof({ weight: 5, arbitrary: fc.constant('orders/primary') }, fc.constant('ü{}%:"\\\n'));
const kinds = fc.oneof(
  fc.constantFrom<OutcomeKind>('ok', 'transient', 'transient', 'rate-limited', 'denied', 'terminal'),
  fc.constantFrom(...(Object.keys(RULINGS) as OutcomeKind[])),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('admit'), key, lease: fc.constantFrom(1, 30.5, 1_000, Infinity) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('record'),
      key,
      back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
      epoch: sometimes(6, fc.constantFrom(0, -1, 7)),
      kind: kinds,
      openFor: sometimes(3, fc.constantFrom(0, 0.3, 50, 90_000, Infinity)),
      breaker: sometimes(12, fc.constantFrom(...BREAKERS)),
      id: sometimes(5, fc.constantFrom('a', 'b', 'c')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('control'),
      key,
      action: fc.constantFrom('isolate', 'restore', 'reset'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait'), for: fc.constantFrom(0, 1, 50, 60, 1_000, 59_999, 60_000) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('come'), key, early: fc.constantFrom(0, 0, 0, 1) }) },
);

export const programs: fc.Arbitrary<readonly Step[]> = fc.array(step, { maxLength: 60, size: 'max' });

const OWN = {
  do: 'record',
  key: 'orders/primary',
  back: 0,
  epoch: undefined,
  breaker: undefined,
  id: undefined,
} as const;
const said = (kind: OutcomeKind, openFor?: number): Step => ({ ...OWN, kind, openFor });
const wait = (ms: number): Step => ({ do: 'wait', for: ms });
const KEY = { key: 'orders/primary' };

/** Programs that chance seldom finds: each once let a wrong script through. */
export const EXAMPLES: [own: CircuitOutcome['breaker'], steps: readonly Step[]][] = [
  [
    BREAKERS[0]!,
    [
      said('rate-limited', 50),
      { do: 'control', ...KEY, action: 'isolate' },
      { do: 'control', ...KEY, action: 'restore' },
      { do: 'come', ...KEY, early: 0 },
      { do: 'admit', ...KEY, lease: 1_000 },
      said('transient'),
    ],
  ],
  [BREAKERS[3]!, [said('ok'), wait(5_025), said('timeout'), said('timeout'), wait(990), said('timeout')]],
  [BREAKERS[3]!, [said('timeout'), wait(600), said('timeout'), wait(600), said('timeout')]],
];
