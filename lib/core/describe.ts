/** What a chain does, for those who ask. What holds is read from its plan, who said so from the layers of its options. */
import type { Budget } from './budget.js';
import { candidateLayers, chainLayers } from './chain-spec.js';
import type { ChainSpec, Layer, Layers } from './chain-spec.js';
import type { Breaker } from './circuit.js';
import type {
  BreakerDescription,
  BudgetDescription,
  CandidateDescription,
  ChainDescription,
  Origin,
  Setting,
} from './description.js';
import type { BreakerOptions, CandidateOptions, ChainOptions } from './option-types.js';
import type { CandidatePlan, ChainPlan } from './plan.js';
import { worstCase } from './worst-case.js';

/** @internal */
export function describeChain(plan: ChainPlan, spec: ChainSpec, layers: Layers): ChainDescription {
  const { name, deadline, reserve, hedge, rethrow, unknown, detail, budget, candidates, substitutes } = plan;
  const by = settings(chainLayers(spec, layers));
  return {
    chain: name,
    deadline: by('deadline', deadline === null ? null : deadline.total),
    reserve: by('reserve', reserve),
    ...(hedge !== null && { hedge: by('hedge', hedge.after) }),
    rethrow: by('rethrow', rethrow),
    unknown: by('unknown', unknown),
    detail: by('detail', detail),
    order: by('order', orderOf(plan)),
    budget: budget && describeBudget(budget, by),
    candidates: candidates.map((each) => describeCandidate(each, candidateLayers(spec, layers, each.index))),
    substitutes: substitutes === null ? null : substitutes.describe(),
    worstCase: describeWorstCase(plan),
  };
}

function orderOf({ orderOf: isComputed, ladder, candidates }: ChainPlan): ChainDescription['order']['value'] {
  if (isComputed !== null) return 'computed';
  return ladder === candidates ? 'declared' : 'cost';
}

function describeBudget({ limit, per, isFinal }: Budget, by: Settings<ChainOptions>): BudgetDescription {
  return {
    limit: by('budget', orNone(limit)),
    per: by('budget', per),
    onBudget: by('onBudget', isFinal ? 'stop' : 'free'),
  };
}

function describeCandidate(candidate: CandidatePlan, layers: readonly Layer<CandidateOptions>[]): CandidateDescription {
  const { name, index, timeout, timeoutOf, retries, cost = null, onEmpty, isCallers, degraded, on } = candidate;
  const by = settings(layers);
  const breakers = layers.map(({ origin, options }) => ({ origin, options: options?.breaker }));
  return {
    candidate: name,
    index,
    timeout: by('timeout', timeoutOf === null ? orNone(timeout) : 'computed'),
    retries: by('retries', retries === null ? 0 : retries.times),
    cost: by('cost', cost),
    onEmpty: by('onEmpty', onEmpty),
    whenOpen: by('whenOpen', candidate.breaker === null ? 'ignore' : candidate.deferred ? 'defer' : 'skip'),
    maxRetryAfter: by('maxRetryAfter', orNone(candidate.maxRetryAfter)),
    minInterval: by('minInterval', candidate.traffic?.interval || null),
    maxConcurrent: by('maxConcurrent', orNone(candidate.traffic?.limit ?? Infinity)),
    breaker: candidate.breaker === null ? null : describeBreaker(candidate.breaker, breakers),
    credentials: by('credentials', isCallers ? 'caller' : 'own'),
    degraded,
    isGated: on !== null,
  };
}

function describeBreaker(
  { threshold, cooldown, factor, maxCooldown, rate }: Breaker,
  layers: readonly Layer<BreakerOptions>[],
): BreakerDescription {
  const by = settings(layers);
  return {
    mode: by('mode', rate === null ? 'consecutive' : 'rate'),
    threshold: by('threshold', orNone(threshold)),
    cooldown: by('cooldown', orNone(cooldown)),
    factor: by('factor', orNone(factor)),
    maxCooldown: by('maxCooldown', orNone(maxCooldown)),
    ...(rate !== null && {
      window: by('window', rate.window),
      volume: by('volume', rate.volume),
      share: by('share', rate.share),
    }),
  };
}

function describeWorstCase(plan: ChainPlan): ChainDescription['worstCase'] {
  const { latency, bounded, isComputed, price, arithmetic } = worstCase(plan);
  const { deadline, reserve } = plan;
  const isCut = deadline !== null && latency > deadline.total - reserve;
  const less = reserve > 0 ? ` less a reserve of ${reserve} ms` : '';
  const cut = isCut ? `, cut at the deadline of ${deadline.total} ms${less}` : '';
  const more = isComputed && bounded > latency ? ', then a computed substitute' : '';
  return { latency: orNone(bounded), arithmetic: arithmetic + cut + more, price };
}

/** Puts the origin to a value: the strongest layer that has the option. */
type Settings<T> = <V>(option: keyof T, value: V) => Setting<V>;

function settings<T>(layers: readonly Layer<T>[]): Settings<T> {
  const strongestFirst = [...layers].reverse();
  return <V>(option: keyof T, value: V): Setting<V> => {
    const layer = strongestFirst.find(({ options }) => options?.[option] !== undefined);
    const origin: Origin = layer === undefined ? 'built-in default' : layer.origin;
    return { value, origin };
  };
}

/** `Infinity` is no JSON. */
function orNone<V>(value: V): V | null {
  return value === Infinity ? null : value;
}
