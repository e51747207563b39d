import { Inject, Injectable } from '@nestjs/common';
import { controlCandidate, healthOf, resetHealth, statusOf } from '../core/candidate-health.js';
import type { ChainStatus } from '../core/chain-watch.js';
import type { ChainDescription } from '../core/description.js';
import type { CandidatePlan, ChainPlan } from '../core/plan.js';
import type { CandidateHealth } from '../core/types.js';
import { RUNTIME } from '../fallback.constants.js';
import { MESSAGES } from '../fallback.messages.js';
import { FallbackRuntime } from '../fallback.runtime.js';

/** One chain's health at the moment of the snapshot. @publicApi */
export interface ChainHealth {
  chain: string;
  /** `down` only when nothing could answer: everything open or isolated and no substitute that is sure to answer */
  status: ChainStatus;
  candidates: readonly CandidateHealth[];
  /** share of the answered calls of the last minute that another than the first supported candidate answered */
  failoverRate: number;
  /** share of them that were answered degraded */
  degradedRate: number;
  /** share of them for which money was spent, whoever answered */
  paidShare: number;
  /** from when on everything here is counted, wall clock */
  since: number;
}

/** An entry of a health report as Terminus knows it. @publicApi */
export type ChainHealthEntry = { status: 'up' | 'down'; [detail: string]: unknown };

/**
 * The health of the application's chains, for health endpoints and for steering by hand. Reading it runs nothing,
 * takes no probe and changes no count.
 * @example health.check('recommendations') // { recommendations: { status: 'up', degraded: true, … } }
 * @publicApi
 */
@Injectable()
export class ChainHealthService {
  constructor(@Inject(RUNTIME) private readonly runtime: FallbackRuntime) {}

  /** All chains, or the one of this name. @throws Error if no chain has the name */
  snapshot(): readonly ChainHealth[];
  snapshot(chain: string): ChainHealth;
  snapshot(chain?: string): ChainHealth | readonly ChainHealth[] {
    return chain === undefined ? this.runtime.plans().map(chainHealth) : chainHealth(this.find(chain));
  }

  /** The worst of all chains: a load balancer's answer. */
  status(): ChainStatus {
    const all = this.runtime.plans().map(statusOf);
    return all.includes('down') ? 'down' : all.includes('degraded') ? 'degraded' : 'up';
  }

  /** An entry per chain, or for the one of this name; a chain that does not exist is `down`, never an error. */
  check(chain?: string): Record<string, ChainHealthEntry> {
    const plans = chain === undefined ? this.runtime.plans() : [this.runtime.plan(chain)];
    return Object.fromEntries(
      plans.map((plan) =>
        plan === undefined ? [chain!, this.unknown(chain!)] : [plan.name, entryOf(chainHealth(plan))],
      ),
    );
  }

  /**
   * Takes a candidate out of its ladder: it is passed over, not even probed or tried last, until it is restored.
   * @throws Error for an unknown name
   * @example health.isolate('geocoder', 'osm') // bad data; until somebody has looked
   */
  isolate(chain: string, candidate: string): void {
    const plan = this.find(chain);
    controlCandidate(plan, this.findCandidate(plan, candidate), 'isolate');
  }

  /**
   * Puts an isolated candidate back with a fresh circuit; a delay that its provider asked for is still waited for.
   * @throws Error for an unknown name
   */
  restore(chain: string, candidate: string): void {
    const plan = this.find(chain);
    controlCandidate(plan, this.findCandidate(plan, candidate), 'restore');
  }

  /** What the chain's plan is, which layer of options said so, and the worst that a call can cost; plain JSON. @throws Error for an unknown name */
  describe(chain: string): ChainDescription {
    return this.runtime.describe(this.find(chain).name)!;
  }

  /**
   * Forgets failures, openings, isolation and counts of all chains, or of the one of this name.
   * @throws Error for an unknown name
   */
  reset(chain?: string): void {
    const plans = chain === undefined ? this.runtime.plans() : [this.find(chain)];
    for (const plan of plans) resetHealth(plan);
  }

  private find(chain: string): ChainPlan {
    const plan = this.runtime.plan(chain);
    if (plan === undefined) throw new Error(this.unknown(chain).message);
    return plan;
  }

  private findCandidate({ name: chain, candidates }: ChainPlan, name: string): CandidatePlan {
    const found = candidates.find((candidate) => candidate.name === name);
    if (found !== undefined) return found;
    const names = candidates.map((candidate) => candidate.name).join(', ');
    throw new Error(MESSAGES.noSuchCandidate(chain, name, names));
  }

  private unknown(chain: string): ChainHealthEntry & { message: string } {
    const names = this.runtime.plans().map(({ name }) => name);
    return { status: 'down', message: MESSAGES.noSuchChain(chain, names.join(', ')) };
  }
}

function chainHealth(plan: ChainPlan): ChainHealth {
  const { name: chain, watch, engine } = plan;
  const { rates, since } = watch!; // a runtime's chains are watched
  return { chain, status: statusOf(plan), candidates: healthOf(plan), ...rates.read(engine.clock.now()), since };
}

function entryOf({ status, candidates }: ChainHealth): ChainHealthEntry {
  const detail = candidates.map(({ candidate, state, coolingFor }) => ({
    candidate,
    state,
    ...(coolingFor > 0 && { coolingFor }),
  }));
  if (status === 'down') return { status, candidates: detail };
  return { status: 'up', ...(status === 'degraded' && { degraded: true }), candidates: detail };
}
