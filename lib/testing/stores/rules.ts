/** What both kinds of stores are checked with: rules, each played once with keys of its own, and what becomes of them. */
import type { StoreFinding, StoreFindingCode, StoreReport } from './report.js';

/** One thing that a store must do. @internal */
export interface Rule<Bench> {
  /** what to do if it does not */
  readonly advice: string;
  /** gives what was seen instead; nothing if all is well */
  play(bench: Bench): Promise<string | undefined>;
}

/** The store could not be brought to where the rule begins; another rule has a finding about that. @internal */
export class NotThere extends Error {}

/** The store leaves out what the rule is about, as it may. @internal */
export class LeftOut extends Error {}

/** Something is wrong that is no rule's own. @internal */
export class Trouble extends Error {
  constructor(
    readonly code: 'silent' | 'rejects' | 'nonsense',
    message: string,
  ) {
    super(message);
  }
}

/** Plays the rules one after another. A store that does not answer is not asked again. @internal */
export async function play<Code extends string, Bench>(
  bench: Bench,
  rules: Readonly<Record<Code, Rule<Bench>>>,
): Promise<Omit<StoreReport<Code>, 'store'>> {
  const findings: StoreFinding<Code>[] = [];
  const strays: StoreFinding<Code>[] = [];
  const checked: Code[] = [];
  const unchecked: Code[] = [];
  const find = (code: Code | StoreFindingCode, message: string): void => {
    if (!findings.some((known) => known.message === message)) findings.push({ code, message });
  };
  for (const [code, rule] of Object.entries(rules) as [Code, Rule<Bench>][]) {
    if (findings.some((finding) => finding.code === 'silent')) {
      unchecked.push(code);
      continue;
    }
    try {
      const seen = await rule.play(bench);
      checked.push(code);
      if (seen !== undefined) find(code, `${seen}: ${rule.advice}`);
    } catch (error) {
      unchecked.push(code);
      if (error instanceof Trouble) find(error.code, error.message);
      else if (error instanceof NotThere) strays.push({ code, message: `${error.message}: ${rule.advice}` });
      else if (!(error instanceof LeftOut)) throw error;
    }
  }
  // Nobody else has said why.
  return { findings: findings.length > 0 ? findings : strays, checked, unchecked };
}
