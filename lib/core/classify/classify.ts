/**
 * The default classifier. Each error on the walk is put to the rules in their order; the outermost definite finding
 * gives the kind, the first usable delay of the whole walk gives `retryAfter`. It reads shapes, codes and names, never
 * `instanceof` alone, and cannot throw. Whether the caller aborted or our own timer fired is not its business: the
 * engine knows and does not ask.
 */
import type { Clock, FailureKind } from '../types.js';
import { abortShape } from './abort-shape.js';
import { bareText } from './bare-error.js';
import { judgeTogether, membersOf, type Judgement } from './aggregate.js';
import { factsOf, type Facts } from './facts.js';
import { prefer, type Finding } from './finding.js';
import { grpcStatus } from './grpc.js';
import { httpStatus } from './http-status.js';
import { knownName } from './known-names.js';
import { kindOfText, newLastText } from './last-text.js';
import type { LastText } from './last-text.js';
import { nativeError } from './native-errors.js';
import { stringCode } from './network-codes.js';
import { plainText } from './plain-text.js';
import { retryAfterOf } from './retry-after.js';
import { statusIn } from './status.js';
import { machineToken } from './tokens.js';
import { MAX_NODES, walk, type Budget } from './walk.js';

const MAX_NESTING = 8;

type Rule = (facts: Facts) => Finding | undefined;

/** Rules 1 to 9, in the order in which they are asked. */
const RULES: readonly Rule[] = [grpcStatus, machineToken, httpStatus, stringCode, abortShape, knownName, nativeError];

/** The kinds that may carry a delay: for all others, waiting does not help. */
const DELAYED: ReadonlySet<FailureKind> = new Set(['rate-limited', 'transient', 'timeout']);

interface Run extends Budget {
  readonly now: number;
  /** the kind of what no rule recognises */
  readonly unknown: FailureKind;
  /** in how many aggregates we are */
  nesting: number;
}

interface Opinion {
  readonly finding: Finding | undefined;
  readonly retryAfter: number | undefined;
}

function askRules(facts: Facts): Finding | undefined {
  if (facts.own) return facts.own;
  let found: Finding | undefined;
  for (const rule of RULES) {
    found = prefer(found, rule(facts));
    if (found && !found.weak) return found;
  }
  return found ?? plainText(facts);
}

/** Rule 11: each member is judged like an error of its own. Unrecognised ones alone say nothing. */
function askMembers(facts: Facts, run: Run): Opinion | undefined {
  const judged: Judgement[] = [];
  let recognised = false;
  run.nesting += 1;
  for (const member of run.nesting <= MAX_NESTING ? membersOf(facts) : []) {
    if (run.nodes <= 0) break;
    const { finding, retryAfter } = judge(member, run);
    recognised ||= finding !== undefined;
    judged.push({ kind: finding?.kind ?? run.unknown, retryAfter });
  }
  run.nesting -= 1;
  if (!recognised) return undefined;
  const { kind, retryAfter } = judgeTogether(judged);
  return { finding: { kind }, retryAfter };
}

/** An error with all that it wraps. */
function judge(error: unknown, run: Run): Opinion {
  let finding: Finding | undefined;
  let retryAfter: number | undefined;
  const mayWait = () => DELAYED.has(finding?.kind ?? run.unknown);

  walk(error, run, (node) => {
    const facts = factsOf(node);
    const own = askRules(facts);
    const members = own ? undefined : askMembers(facts, run);
    finding = prefer(finding, own ?? members?.finding);
    if (own?.final) return 'skip';
    const settled = finding !== undefined && !finding.weak;
    if (!settled || mayWait()) retryAfter ??= retryAfterOf(facts, run.now) ?? members?.retryAfter;
    return settled && (retryAfter !== undefined || !mayWait()) ? 'halt' : 'deeper';
  });
  return { finding, retryAfter: mayWait() ? retryAfter : undefined };
}

/**
 * What a failure means. `now` is the wall clock (ms), the measure of dates in headers; `unknown` is the kind of what no
 * rule recognises, `'transient'` unless given. `retryAfter` is in whole ms and absent if nobody advised a delay.
 * @example classifyFailure(error) // { kind: 'rate-limited', retryAfter: 7000 }
 * @publicApi
 */
export function classifyFailure(
  error: unknown,
  options: { now?: number; unknown?: 'transient' | 'terminal' } = {},
): { kind: FailureKind; retryAfter?: number } {
  return classifyAt(error, options.unknown ?? 'transient', { wall: () => options.now ?? Date.now() });
}

/** The same with a clock that is read only where an answer names a date. @internal */
export function classifyAt(
  error: unknown,
  unknown: 'transient' | 'terminal',
  clock: Pick<Clock, 'wall'>,
  last: LastText = newLastText(),
): { kind: FailureKind; retryAfter?: number } {
  const text = bareText(error, last.text);
  if (text !== undefined) return { kind: kindOfText(text, last) ?? unknown };
  const run: Run = { now: clock.wall(), unknown, nodes: MAX_NODES, nesting: 0 };
  const { finding, retryAfter } = judge(error, run);
  const kind = finding?.kind ?? run.unknown;
  return retryAfter === undefined ? { kind } : { kind, retryAfter };
}

/** The first HTTP status (300..599) of an error or of what it wraps. @internal */
export function statusOf(error: unknown): number | undefined {
  let status: number | undefined;
  walk(error, { nodes: MAX_NODES }, (node) => {
    status = statusIn(node);
    return status === undefined ? 'deeper' : 'halt';
  });
  return status;
}
