/** Whether a candidate keeps its side of the contract. Needs no test runner. */
import type { FallbackCandidate } from '../index.js';
import type { Finding } from './findings.js';
import { checkHanging } from './check-hanging.js';
import { checkHooks } from './check-hooks.js';
import { checkOutcome } from './check-outcome.js';
import type { Checked } from './probe.js';
import { EXPECTED } from './situations.js';
import type { Situation, SituationName } from './situations.js';

const PATIENCE = 2_000;
const OUTCOMES = Object.keys(EXPECTED) as (keyof typeof EXPECTED)[];
const ALL: readonly SituationName[] = [...OUTCOMES, 'hanging'];

/** What a candidate is checked with. @publicApi */
export interface CheckOptions<A extends unknown[] = unknown[]> {
  /** a call that the candidate supports */
  args: A;
  /** the situations to check it in, each with how to bring its provider there; the others are not checked */
  situations?: { readonly [Name in SituationName]?: Situation<A> | (() => unknown) };
  /** what must not stand in an error: keys, tokens, passwords */
  secrets?: readonly string[];
  /** ms that anything may take: an answer, a hook, and the end of a run after its signal; default 2000 */
  patience?: number;
}

/** What was found, and in which situations nobody looked. @publicApi */
export interface CandidateReport {
  readonly candidate: string;
  readonly findings: readonly Finding[];
  readonly checked: readonly SituationName[];
  readonly unchecked: readonly SituationName[];
}

/** The candidate has findings; each stands in the message with what to do. @publicApi */
export class CandidateCheckError extends Error {
  readonly code = 'CANDIDATE_CHECK';
  override readonly name = 'CandidateCheckError';
  readonly findings: readonly Finding[];

  constructor({ candidate, findings }: CandidateReport) {
    super(
      [`${candidate} is no good candidate yet:`, ...findings.map(({ code, message }) => `- ${code}: ${message}`)].join(
        '\n',
      ),
    );
    this.findings = findings;
  }
}

/**
 * Asks the hooks of a candidate about errors of all kinds, runs it in the given situations, one after another, and reports
 * what is wrong. It rejects only if a situation cannot be arranged.
 * @example const { findings } = await checkCandidate(new Osm(url), { args: ['Bern'], situations: { answers: () => server.mend() } })
 * @publicApi
 */
export async function checkCandidate<A extends unknown[], T>(
  candidate: FallbackCandidate<A, T>,
  { args, situations = {}, secrets = [], patience = PATIENCE }: CheckOptions<A>,
): Promise<CandidateReport> {
  const subject = candidate as unknown as Checked;
  const findings = await checkHooks(subject, { args, patience });
  const checked: SituationName[] = [];
  for (const name of ALL) {
    const given = situations[name];
    if (given === undefined) continue;
    const situation = typeof given === 'function' ? { arrange: given } : given;
    await situation.arrange?.();
    const asked = { ...situation, args: situation.args ?? args, patience };
    findings.push(
      ...(name === 'hanging'
        ? await checkHanging(subject, asked)
        : await checkOutcome(subject, name, { ...asked, secrets })),
    );
    checked.push(name);
  }
  return {
    candidate: nameOf(candidate),
    findings,
    checked,
    unchecked: ALL.filter((name) => !checked.includes(name)),
  };
}

/** The class says it; an object that is no instance of one may have a name. */
function nameOf(candidate: object): string {
  const { name, constructor } = candidate as { name?: unknown; constructor?: unknown };
  if (typeof constructor === 'function' && constructor !== Object) return constructor.name;
  return typeof name === 'string' ? name : 'The candidate';
}

/**
 * The same as an assertion, for any test runner.
 * @throws CandidateCheckError with everything that was found
 * @example await assertCandidate(new Osm(url), { args: ['Bern'], situations: { rateLimited: () => server.limit() } })
 * @publicApi
 */
export async function assertCandidate<A extends unknown[], T>(
  candidate: FallbackCandidate<A, T>,
  options: CheckOptions<A>,
): Promise<CandidateReport> {
  const report = await checkCandidate(candidate, options);
  if (report.findings.length > 0) throw new CandidateCheckError(report);
  return report;
}
