import type { CircuitOutcome } from '../../lib/core/index.js';

export const BREAKER: CircuitOutcome['breaker'] = {
  threshold: 2,
  cooldown: 60_000,
  factor: 2,
  maxCooldown: 300_000,
  mode: 'consecutive',
  window: 60_000,
  volume: 20,
  share: 0.3,
};

/** Opens at the first failure, for a moment. */
export const SOON = { ...BREAKER, threshold: 1, cooldown: 1, maxCooldown: 1 };

export const failure = (epoch: number, more: Partial<CircuitOutcome> = {}): CircuitOutcome => ({
  epoch,
  health: 'failure',
  kind: 'transient',
  breaker: BREAKER,
  ...more,
});

export const success = (epoch: number): CircuitOutcome => failure(epoch, { health: 'success', kind: 'ok' });

/** Opens a closed circuit for a minute. */
export const OPENING = failure(0, { breaker: { ...BREAKER, threshold: 1 } });
