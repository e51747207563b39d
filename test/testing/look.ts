import type { FallbackCandidate } from '../../lib/index.js';
import { checkCandidate } from '../../lib/testing/index.js';
import type { CandidateReport, Finding, SituationName } from '../../lib/testing/index.js';
import { KEY, situationsOf } from './shelf.js';
import type { Catalogue } from './shelf.js';

/** Long enough for a busy machine; `HASTY` is for those that are waited for in vain. */
export const PATIENCE = 1_000;
export const HASTY = 100;

type Look<Seen> = (candidate: FallbackCandidate<[string], string[]>, ...names: SituationName[]) => Promise<Seen>;

/** How candidates that ask this catalogue are looked at. */
export function looksAt(
  catalogue: Catalogue,
): Record<'codes' | 'hastyCodes', Look<Finding['code'][]>> & { check: Look<CandidateReport> } {
  const situations = situationsOf(catalogue);
  const within =
    (patience: number): Look<CandidateReport> =>
    (candidate, ...names) =>
      checkCandidate(candidate, {
        args: ['Emma'],
        situations: Object.fromEntries(names.map((name) => [name, situations[name]])),
        secrets: [KEY],
        patience,
      });
  const codesOf = ({ findings }: CandidateReport) => findings.map(({ code }) => code);
  return {
    check: within(PATIENCE),
    codes: async (...asked) => codesOf(await within(PATIENCE)(...asked)),
    hastyCodes: async (...asked) => codesOf(await within(HASTY)(...asked)),
  };
}

export const never = () => new Promise<never>(() => {});
