/** What start-up says of a chain that works: a line like those of Nest's route map, and what may surprise its users. */
import { chainOptionsOf } from './core/chain-spec.js';
import type { CandidatePlan, ChainPlan } from './core/plan.js';
import { worstCase } from './core/worst-case.js';
import { MESSAGES } from './fallback.messages.js';
import type { Entry } from './fallback.registry.js';

/** @internal */
export function mapLine({ plan }: Entry): string {
  const ladder = plan.ladder.map((candidate) => `${candidate.name} (${timeoutOf(candidate)})`).join(' → ');
  const last = substitutesOf(plan).join(', ');
  const deadline = plan.deadline === null ? '' : `; deadline ${plan.deadline.total} ms`;
  const order = plan.orderOf === null ? '' : '; computed order';
  const budget = plan.budget === null ? '' : `; budget ${plan.budget.limit} per ${plan.budget.per} ms`;
  const hedge = plan.hedge === null ? '' : `; hedged after ${plan.hedge.after} ms`;
  return `Chain {${plan.name}}: ${ladder}${last === '' ? '' : `, else ${last}`}${deadline}${order}${budget}${hedge}`;
}

/** @internal */
export function warningsOf(entry: Entry): string[] {
  const { plan } = entry;
  return [endless(plan), overDeadline(plan), repeatedWrite(entry), unsent(entry)]
    .filter((warning) => warning !== undefined)
    .map((warning) => `${plan.name}: ${warning}`);
}

function timeoutOf({ timeout, timeoutOf: computed }: CandidatePlan): string {
  if (computed !== null) return 'computed timeout';
  return timeout === Infinity ? 'no timeout' : `${timeout} ms`;
}

function substitutesOf({ substitutes }: ChainPlan): string[] {
  const { lastKnownGood = null, substitute = null } = substitutes?.describe() ?? {};
  return [
    ...(lastKnownGood === null ? [] : [`last known good (up to ${String(lastKnownGood.maxAge.value)} ms old)`]),
    ...(substitute === null ? [] : [substitute === 'skipped' ? 'skipped' : `${substitute} substitute`]),
  ];
}

function isEndless({ timeout, timeoutOf: computed }: CandidatePlan): boolean {
  return timeout === Infinity && computed === null;
}

/** Whoever hangs for ever is never replaced. */
function endless({ ladder, orderOf, substitutes, deadline }: ChainPlan): string | undefined {
  const hasSubstitute = substitutes !== null && substitutes.sources.length > 0;
  // Where each call has its own order, each may be followed by another.
  const isLastFollowed = hasSubstitute || (orderOf !== null && ladder.length > 1);
  const followed = isLastFollowed ? ladder : ladder.slice(0, -1);
  const names = followed.filter(isEndless).map(({ name }) => name);
  return deadline !== null || names.length === 0 ? undefined : MESSAGES.endless(names.join(', '));
}

/** The deadline comes before the last candidate has had its time; one without a timeout takes what is left. */
function overDeadline(plan: ChainPlan): string | undefined {
  const { ladder, deadline, reserve } = plan;
  // A computed timeout may well be a share of what is left.
  if (deadline === null || ladder.some(({ timeoutOf: computed }) => computed !== null)) return undefined;
  const { latency, lastAt, arithmetic } = worstCase(plan);
  const needed = isEndless(ladder.at(-1)!) ? lastAt : latency;
  return needed > deadline.total - reserve ? MESSAGES.overDeadline(arithmetic, deadline.total, reserve) : undefined;
}

function repeatedWrite({ plan, spec, layers, verb }: Entry): string | undefined {
  const isStated = chainOptionsOf(spec, layers).idempotent !== undefined;
  return verb === undefined || isStated || plan.candidates.length < 2 ? undefined : MESSAGES.repeatedWrite(verb);
}

function unsent({ plan, isUnsent = false }: Entry): string | undefined {
  return isUnsent && plan.candidates.length > 1 ? MESSAGES.ownResponse : undefined;
}
