/** From what was declared, and has no faults, to the immutable plan that the engine walks. Every default stands here. */
import { Budget } from './budget.js';
import { statusOf } from './candidate-health.js';
import { ChainWatch } from './chain-watch.js';
import { candidateOptionsOf, chainOptionsOf } from './chain-spec.js';
import type { ChainSpec, Layers } from './chain-spec.js';
import type { Breaker } from './circuit.js';
import { newLastText } from './classify/index.js';
import { parseDuration } from './duration.js';
import type { Engine } from './engine.js';
import { byCost } from './order.js';
import type { CandidatePlan, ChainPlan, Deadline, Hedge, Judge, Retries, StreamPlan, Traffic } from './plan.js';
import type { RateRule } from './rate-window.js';
import { joinMirrors } from './shared-health/join.js';
import { opening } from './stream/opening.js';
import { Tally } from './tally.js';
import type { BreakerOptions, CandidateOptions, ChainOptions } from './option-types.js';
import type { Duration } from './types.js';

/** The breaker's defaults, ms. @internal */
export const BREAKER = {
  threshold: 3,
  cooldown: 5_000,
  factor: 2,
  maxCooldown: 300_000,
  window: 60_000,
  volume: 20,
  share: 0.3,
};

type BreakerNumbers = Omit<Breaker, 'rate'> & { readonly rate: RateRule | null };

const MAX_RETRY_AFTER = 3_600_000;

/**
 * @param known the chain's plan with other options, whose counts this one shares
 * @param kind of the streams that its candidates give; null for values
 * @internal
 */
export function compileChain(
  spec: ChainSpec,
  engine: Engine,
  layers: Layers,
  known?: ChainPlan,
  kind: StreamPlan['kind'] | null = known?.stream?.kind ?? null,
): ChainPlan {
  const options = chainOptionsOf(spec, layers);
  const deadline = deadlineOf(options, engine);
  const candidates = spec.candidates.map(({ name }, index): CandidatePlan => {
    const tally = known?.candidates[index]?.tally ?? new Tally(name, index);
    return compileCandidate(spec, index, engine, layers, { tally, isStream: kind !== null });
  });
  const { name, substitutes } = spec;
  const ladder = options.order === 'cost' ? byCost(candidates) : candidates;
  const orderOf = typeof options.order === 'function' ? options.order : null;
  const stream = kind === null ? null : streamOf(kind, options, engine);
  const hedge = candidates.length > 1 && stream === null ? hedgeOf(options, engine) : null;
  const plan: ChainPlan = {
    name,
    engine,
    candidates,
    ladder,
    orderOf,
    budget: budgetOf(options, engine, known),
    isPlain: deadline === null && stream === null && orderOf === null && hedge === null && isPlain(ladder[0]!),
    substitutes,
    marker: spec.marker,
    deadline,
    hedge,
    limit: Math.min(deadline?.total ?? Infinity, stream?.total ?? Infinity),
    stream,
    reserve: ms(options.reserve, 0),
    enabled: options.enabled ?? null,
    rethrow: options.rethrow ?? 'aggregate',
    unknown: options.unknown ?? 'transient',
    detail: options.detail ?? 'kinds',
    watch: known === undefined ? watchOf({ name, engine, candidates, substitutes }) : known.watch,
  };
  joinMirrors(plan, known === undefined);
  return plan;
}

function watchOf(ladder: Pick<ChainPlan, 'name' | 'engine' | 'candidates' | 'substitutes'>): ChainWatch | null {
  const { name, engine } = ladder;
  return engine.vigil === null ? null : new ChainWatch(name, engine, () => statusOf(ladder));
}

function compileCandidate(
  spec: ChainSpec,
  index: number,
  engine: Engine,
  layers: Layers,
  { tally, isStream }: { readonly tally: Tally; readonly isStream: boolean },
): CandidatePlan {
  const { name, invoke } = spec.candidates[index]!;
  const options = candidateOptionsOf(spec, layers, index);
  const { whenOpen = 'defer' } = options;
  const healthKey = healthKeyOf(spec, index, options);
  const timeoutOf = typeof options.timeout === 'function' ? options.timeout : null;
  const timeout = typeof options.timeout === 'function' ? Infinity : ms(options.timeout, Infinity);
  return {
    name,
    index,
    invoke: isStream ? opening(invoke) : invoke,
    bare: invoke,
    on: options.on ?? null,
    timeout,
    timeoutOf,
    timers: engine.timers.for(timeout),
    retries: retriesOf(options),
    cost: options.cost,
    onEmpty: onEmptyOf(options),
    isCallers: options.credentials === 'caller',
    degraded: options.degraded ?? false,
    supports: options.supports ?? null,
    judges: judgesOf(options, isStream ? noElementIsEmpty : isEmptyList),
    classify: options.classify ?? null,
    lastText: newLastText(),
    circuit: engine.circuit(healthKey),
    breaker: whenOpen === 'ignore' ? null : breakerWith(breakerOf(options.breaker), engine, healthKey),
    mirror: engine.mirror(healthKey),
    deferred: whenOpen === 'defer',
    maxRetryAfter: ms(options.maxRetryAfter, MAX_RETRY_AFTER),
    traffic: trafficOf(options, engine, healthKey),
    tally,
  };
}

/** It has no time limit of its own, and nobody is asked before it runs or about what it gave. */
function isPlain({ timers, timeoutOf, retries, supports, classify, judges, traffic }: CandidatePlan): boolean {
  const isUnlimited = timers === null && timeoutOf === null && traffic === null;
  return isUnlimited && retries === null && supports === null && classify === null && judges.length === 0;
}

/** Money is spent by the chain, whatever the options of one call. */
function budgetOf({ budget, onBudget }: ChainOptions, { clock }: Engine, known?: ChainPlan): Budget | null {
  if (budget === undefined) return null;
  return new Budget(clock, budget.limit, ms(budget.per, Infinity), onBudget === 'stop', known?.budget?.ledger);
}

/** How often a candidate may be called, and how often at once; `Infinity` is none. @internal */
export function boundsOf({ minInterval, maxConcurrent = Infinity }: CandidateOptions) {
  const interval = ms(minInterval, Infinity);
  return { interval: interval === Infinity ? 0 : interval, limit: maxConcurrent };
}

function trafficOf(options: CandidateOptions, engine: Engine, healthKey: string): Traffic | null {
  const { interval, limit } = boundsOf(options);
  if (interval === 0 && limit === Infinity) return null;
  const { pace, permits } = engine.lane(healthKey);
  return { interval, limit, pace, permits };
}

function deadlineOf({ deadline, reserve }: ChainOptions, engine: Engine): Deadline | null {
  const total = ms(deadline, Infinity);
  return total === Infinity ? null : { total, timers: engine.timers.for(Math.max(0, total - ms(reserve, 0)))! };
}

function hedgeOf({ hedge }: ChainOptions, engine: Engine): Hedge | null {
  const after = ms(hedge?.after, Infinity);
  return after === Infinity ? null : { after, timers: after === 0 ? null : engine.timers.for(after) };
}

function streamOf(kind: StreamPlan['kind'], options: ChainOptions, engine: Engine): StreamPlan {
  const { commitWhen, errorIn, idleTimeout, streamDeadline } = options;
  return {
    kind,
    commitWhen: commitWhen ?? null,
    errorIn: errorIn ?? null,
    idle: engine.timers.for(ms(idleTimeout, Infinity)),
    total: ms(streamDeadline, Infinity),
  };
}

function retriesOf({ retries = 0 }: CandidateOptions): Retries | null {
  const { times, on = ['transient' as const] } = typeof retries === 'number' ? { times: retries } : retries;
  return times === 0 ? null : { times, on };
}

/** The values' hooks, in the order in which they are asked. */
function judgesOf(options: CandidateOptions, isEmptyByDefault: (value: unknown) => boolean): Judge[] {
  const { isEmpty = isEmptyByDefault, accept, assess, cost, onEmpty } = options;
  const judges: Judge[] = [];
  if (cost !== undefined || onEmpty !== undefined) {
    judges.push({ hook: 'isEmpty', ask: (host, value) => isEmpty.call(host, value) });
  }
  if (accept !== undefined) judges.push({ hook: 'accept', ask: (host, value, ctx) => accept.call(host, value, ctx) });
  if (assess !== undefined) judges.push({ hook: 'assess', ask: (host, value, ctx) => assess.call(host, value, ctx) });
  return judges;
}

/** A stream is empty when it ends without one. */
const noElementIsEmpty = (): boolean => false;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** An empty answer of a free candidate is worth looking further; one that was paid for is the answer. */
function onEmptyOf({ onEmpty, cost }: CandidateOptions): CandidatePlan['onEmpty'] {
  return onEmpty ?? (cost === undefined ? 'accept' : cost === 0 ? 'continue' : 'stop');
}

/** Under what a candidate's health is kept. @internal */
export function healthKeyOf(spec: ChainSpec, index: number, { healthKey }: CandidateOptions): string {
  return healthKey ?? `${spec.name}/${spec.candidates[index]!.name}`;
}

/** The numbers of a breaker. @internal */
export function breakerOf({
  threshold = BREAKER.threshold,
  cooldown,
  factor = BREAKER.factor,
  maxCooldown,
  mode = 'consecutive',
  window,
  volume = BREAKER.volume,
  share = BREAKER.share,
}: BreakerOptions = {}): BreakerNumbers {
  const first = ms(cooldown, BREAKER.cooldown);
  const longest = ms(maxCooldown, Math.max(first, BREAKER.maxCooldown));
  const rate = mode === 'rate' ? { window: ms(window, BREAKER.window), volume, share } : null;
  return { threshold, cooldown: first, factor, maxCooldown: longest, rate };
}

// Written out: V8 gives each object that is made by spreading a shape of its own, and every call reads these.
function breakerWith(numbers: BreakerNumbers, engine: Engine, healthKey: string): Breaker {
  const { threshold, cooldown, factor, maxCooldown } = numbers;
  const rate = numbers.rate && { ...numbers.rate, outcomes: engine.window(healthKey, numbers.rate.window) };
  return { threshold, cooldown, factor, maxCooldown, rate };
}

function ms(value: Duration | undefined, otherwise: number): number {
  return value === undefined ? otherwise : (parseDuration(value) ?? otherwise);
}
