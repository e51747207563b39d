import type { INestApplicationContext } from '@nestjs/common';
import { ChainHealthService } from 'nestjs-fallback';
import type { CandidateHealth, CircuitState } from 'nestjs-fallback';
import { until } from './until.js';

/** What steps can do besides sending requests: break and mend upstreams, look at circuits, wait for them. */
export class World<Upstreams> {
  private readonly health: ChainHealthService;

  constructor(
    app: INestApplicationContext,
    readonly upstreams: Upstreams,
  ) {
    this.health = app.get(ChainHealthService);
  }

  /** The candidates of all chains, each once; here they are called like their upstreams. */
  candidates(): CandidateHealth[] {
    const all = this.health.snapshot().flatMap(({ candidates }) => candidates);
    return [...new Map(all.map((health) => [health.candidate, health])).values()];
  }

  candidate(name: string): CandidateHealth {
    return this.candidates().find(({ candidate }) => candidate === name)!;
  }

  /** Resolves when the circuits of these upstreams are in this state. */
  async until(state: CircuitState, ...names: readonly string[]): Promise<void> {
    await until(`${names.join(', ')} is ${state}`, () => names.every((name) => this.candidate(name).state === state));
  }
}
