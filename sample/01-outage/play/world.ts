import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { ChainHealthService } from 'nestjs-fallback';
import type { CandidateHealth, CircuitState } from 'nestjs-fallback';
import { UpstreamsService } from '../upstreams/upstreams.service.js';
import type { UpstreamName } from '../upstreams/upstreams.service.js';

const PATIENCE = 5_000;
const PAUSE = 10;

/** What the steps can do besides sending requests: break and mend upstreams, look at circuits, wait for them. */
export class World {
  readonly upstreams: UpstreamsService;
  private readonly health: ChainHealthService;

  constructor(app: INestApplicationContext) {
    this.upstreams = app.get(UpstreamsService);
    this.health = app.get(ChainHealthService);
  }

  /** The candidates of all chains; here each is called like its upstream. */
  candidates(): CandidateHealth[] {
    return this.health.snapshot().flatMap(({ candidates }) => candidates);
  }

  candidate(name: UpstreamName): CandidateHealth {
    return this.candidates().find(({ candidate }) => candidate === name)!;
  }

  /** Resolves when the circuits of these upstreams are in this state. */
  async until(state: CircuitState, ...names: readonly UpstreamName[]): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (names.some((name) => this.candidate(name).state !== state)) {
      if (Date.now() > end) throw new Error(`${names.join(', ')} did not become ${state} within ${PATIENCE} ms`);
      await sleep(PAUSE);
    }
  }
}
