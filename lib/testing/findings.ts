/** What can be wrong with a candidate, and what to do about it. */
import type { OutcomeKind } from '../core/index.js';
import type { SituationName } from './situations.js';

/** The methods that a candidate may have besides `run`. @internal */
export type Hook = 'supports' | 'classify' | 'assess';

/** What a hook did instead of giving an answer that makes sense. @internal */
export type HookFault = 'throws' | 'silent' | 'nonsense';

/** One thing that is wrong with a candidate; the message says what to do. @publicApi */
export interface Finding {
  readonly code:
    | `hook-${HookFault}`
    | 'supports-refuses'
    | 'wrong-kind'
    | 'rate-limit-stops'
    | 'advice-lost'
    | 'no-answer'
    | 'did-not-hang'
    | 'signal-ignored'
    | 'deadline-ignored'
    | 'secret-leaked';
  /** the situation it showed in, if it was one */
  readonly situation?: SituationName;
  readonly message: string;
}

const HOOK_ADVICE: Readonly<Record<Hook, string>> = {
  supports: 'let it give true or false for any arguments; else the candidate is passed over',
  classify: 'let it give a kind, a verdict of a failure, or undefined for every error that it does not know',
  assess: 'let it give a kind, a verdict, or undefined for an answer that is good; else the answer is rejected',
};
const HOOK_SENTENCES: Readonly<Record<HookFault, string>> = {
  throws: 'throws',
  silent: 'gives a promise that does not settle',
  nonsense: 'gives something that it may not give',
};

/** @param about what the hook was asked about @internal */
export function hookFinding(hook: Hook, fault: HookFault, about: string, situation?: SituationName): Finding {
  const message = `${hook} ${HOOK_SENTENCES[fault]} (asked about ${about}): ${HOOK_ADVICE[hook]}`;
  return finding(`hook-${fault}`, message, situation);
}

/** @internal */
export function finding(code: Finding['code'], message: string, situation?: SituationName): Finding {
  return situation === undefined ? { code, message } : { code, situation, message: `${situation}: ${message}` };
}

/** @internal */
export function supportsRefuses(situation?: SituationName): Finding {
  return finding('supports-refuses', 'supports says no: give `args` that the candidate takes', situation);
}

/** @internal */
export function rateLimitStops(how: string, situation?: SituationName): Finding {
  const message = `${how} ends the whole ladder: let classify say rate-limited, so that the next candidate answers`;
  return finding('rate-limit-stops', message, situation);
}

/** @internal */
export function wrongKind(situation: SituationName, got: OutcomeKind, advice: string): Finding {
  return finding('wrong-kind', `the outcome is ${got}: ${advice}`, situation);
}
