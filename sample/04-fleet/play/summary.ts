import { isUnmarked } from '../../stage/summary.js';
import type { Figure } from '../../stage/summary.js';
import type { FleetService, StoreEvent } from '../fleet/fleet.service.js';
import type { FleetAnswer } from './ask.js';

/** What the clients saw, and what the processes themselves have counted and told. */
export async function figuresOf(answers: readonly FleetAnswer[], fleet: FleetService): Promise<Figure[]> {
  const seen = (isIt: (answer: FleetAnswer) => boolean) => answers.filter(isIt).length;
  const toldOnce = (name: StoreEvent) => fleet.told(name).filter((times) => times === 1).length;
  const healths = await Promise.all(fleet.processes.map((process) => process.health()));
  const inVain = healths.map(({ candidates: [bourse] }) => bourse!.counts.transient ?? 0);
  return [
    { what: 'process 1 asked in vain', expected: 4, measured: inVain[0]! },
    { what: 'process 2 asked in vain', expected: 2, measured: inVain[1]! },
    { what: 'process 3 asked in vain', expected: 2, measured: inVain[2]! },
    { what: 'last known good', expected: 1, measured: seen(({ source }) => source === 'last-known-good') },
    { what: 'not answered', expected: 0, measured: seen(({ status }) => status !== 200) },
    { what: 'degraded without the header', expected: 0, measured: seen(isUnmarked) },
    { what: 'told once: Redis is away', expected: 3, measured: toldOnce('store.failed') },
    { what: 'told once: Redis is back', expected: 3, measured: toldOnce('store.recovered') },
  ];
}
