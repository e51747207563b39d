import { insists } from '../circuit.js';
import type { ChainPlan } from '../plan.js';
import type { Adopted } from './adoption.js';

const EVENTS = {
  opened: 'circuit.opened',
  closed: 'circuit.closed',
  isolated: 'circuit.isolated',
  restored: 'circuit.restored',
} as const;

/**
 * From now on a chain hears what others have done to the circuits that it shares with them.
 * @param isNew false for a plan of one call, which brings in only circuits that nobody has used before
 * @internal
 */
export function joinMirrors({ name: chain, candidates, engine, watch }: ChainPlan, isNew: boolean): void {
  for (const { name: candidate, circuit, mirror } of candidates) {
    if (mirror === null || (mirror.isUsed && !isNew)) continue;
    mirror.join({
      chain,
      onAdopted: (what: NonNullable<Adopted>, kind, isFirst) => {
        const now = engine.clock.now();
        const about = { name: EVENTS[what], chain, candidate, by: 'fleet', ...(kind !== undefined && { kind }) };
        const opening = { cooldown: circuit.openUntil - now, insists: insists(circuit) };
        if (isFirst) engine.report(what === 'opened' ? { ...about, ...opening } : about);
        watch?.look(now);
      },
    });
  }
}
