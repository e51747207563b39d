/** What a provider may do to its candidate, and what the candidate has to make of it. */
import type { OutcomeKind } from '../core/index.js';

/** The situations that a candidate is checked in; `hanging` is the one that it must be able to leave. @publicApi */
export type SituationName = 'answers' | 'empty' | 'rateLimited' | 'failing' | 'denied' | 'invalid' | 'hanging';

/** How to bring a provider into a situation. @publicApi */
export interface Situation<A extends unknown[] = unknown[]> {
  /** makes the provider behave so; awaited */
  arrange?: () => unknown;
  /** the call, where it is not the usual one: a question without an answer, a wrong one */
  args?: A;
  /** `rateLimited`: the advice that the provider gives, in ms */
  retryAfter?: number;
  /** `hanging`: resolves when the provider holds the request; without it the candidate is cut after a moment */
  reached?: () => PromiseLike<unknown>;
}

/** What the candidate's outcome must be, and what to do where it is not. */
interface Expectation {
  readonly kinds: readonly OutcomeKind[];
  readonly advice: string;
}

/** @internal */
export const EXPECTED: Readonly<Record<Exclude<SituationName, 'hanging'>, Expectation>> = {
  answers: {
    kinds: ['ok', 'thin'],
    advice: 'let run give the answer, and assess say nothing of a good one',
  },
  empty: {
    kinds: ['ok', 'empty'],
    advice: 'finding nothing is an answer: let run give an empty one instead of throwing',
  },
  rateLimited: {
    kinds: ['rate-limited'],
    advice: "throw an error that keeps the provider's status and headers, or let classify or assess say rate-limited",
  },
  failing: {
    kinds: ['transient', 'timeout'],
    advice: "throw an error that keeps the provider's status or code, or let classify say transient",
  },
  denied: {
    kinds: ['denied'],
    advice: 'credentials must be mended, and other candidates have their own: let classify or assess say denied',
  },
  invalid: {
    kinds: ['terminal', 'unsupported'],
    advice: 'nobody will answer a wrong request: throw an error that keeps the status, or let classify say terminal',
  },
};
