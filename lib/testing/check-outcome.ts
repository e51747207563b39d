/** Whether the candidate makes of a situation what the ladder has to know. */
import { inspect } from 'node:util';
import { AttemptTimeoutError } from '../core/index.js';
import { finding, hookFinding, rateLimitStops, supportsRefuses, wrongKind } from './findings.js';
import type { Finding } from './findings.js';
import { begin } from './probe.js';
import type { Checked, Observed } from './probe.js';
import { EXPECTED } from './situations.js';
import type { Situation } from './situations.js';

interface Asked extends Situation {
  args: unknown[];
  patience: number;
  secrets: readonly string[];
}

/** How deep an error is searched for secrets: clients keep the request, with its headers, in their errors. */
const DEPTH = 6;

/** @internal */
export async function checkOutcome(
  candidate: Checked,
  situation: keyof typeof EXPECTED,
  { args, patience, secrets, retryAfter }: Asked,
): Promise<Finding[]> {
  // Twice: a hook that is silent is told apart from a run that is.
  const running = begin(candidate, patience, { args, timeout: patience * 2 });
  const observed = await running.observed;
  const findings = observed.faults.map(({ hook, fault }) => hookFinding(hook, fault, 'this situation', situation));
  if (observed.error instanceof AttemptTimeoutError) {
    const message = `run does not settle within ${patience * 2} ms: end the request with ctx.signal, or mend what arranges this`;
    return [...findings, finding('no-answer', message, situation)];
  }
  if (findings.length === 0) findings.push(...judge(observed, situation, retryAfter));
  if (holdsAny(observed.error, secrets)) {
    const message =
      'the error holds a secret, and errors are logged: throw one that has only what the classification needs';
    findings.push(finding('secret-leaked', message, situation));
  }
  return findings;
}

function judge(
  { kind, isStopped, ...seen }: Observed,
  situation: keyof typeof EXPECTED,
  retryAfter?: number,
): Finding[] {
  const { kinds, advice } = EXPECTED[situation];
  if (kind === undefined && situation === 'invalid') return [];
  if (kind === undefined) return [supportsRefuses(situation)];
  if (situation === 'rateLimited' && isStopped) return [rateLimitStops(`the verdict ${kind}`, situation)];
  if (!kinds.includes(kind)) return [wrongKind(situation, kind, advice)];
  if (situation !== 'rateLimited' || arrives(seen.retryAfter, retryAfter)) return [];
  const got = seen.retryAfter === undefined ? 'nothing' : `${seen.retryAfter} ms`;
  const message = `of the advice to wait ${retryAfter} ms, ${got} arrives: keep the headers on the error, or give retryAfter in ms`;
  return [finding('advice-lost', message, situation)];
}

/** Dates lose up to a second on the way; a wrong unit is a thousand times off. */
function arrives(seen = 0, given?: number): boolean {
  return given === undefined || (seen >= given / 2 && seen <= given * 2);
}

function holdsAny(error: unknown, secrets: readonly string[]): boolean {
  if (error === undefined || secrets.length === 0) return false;
  const printed = inspect(error, { depth: DEPTH, maxStringLength: Infinity, maxArrayLength: Infinity });
  return secrets.some((secret) => printed.includes(secret) || printed.includes(encodeURIComponent(secret)));
}
