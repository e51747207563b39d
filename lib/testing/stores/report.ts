/** What a store is checked with, and what is said about it. */

/** How a store is checked. @publicApi */
export interface StoreCheckOptions {
  /** lets `ms` pass by the store's own clock: a test clock's `advance`, say; default: real time passes */
  wait?: (ms: number) => unknown;
  /** how short the times are that are waited for, ms; default 60. What a store rounds up is waited for as well. */
  pause?: number;
  /** ms of real time that any operation may take; default 2000 */
  patience?: number;
}

/** What may be wrong with any operation: no answer in time, an error, an answer that says nothing. @publicApi */
export type StoreFindingCode = 'silent' | 'rejects' | 'nonsense';

/** One thing that is wrong with a store; the message says what to do. @publicApi */
export interface StoreFinding<Code extends string> {
  readonly code: Code | StoreFindingCode;
  readonly message: string;
}

/** What was found, and which rules were not looked at: what is optional, or what a finding stands before. @publicApi */
export interface StoreReport<Code extends string> {
  readonly store: string;
  readonly findings: readonly StoreFinding<Code>[];
  readonly checked: readonly Code[];
  readonly unchecked: readonly Code[];
}

/** The store has findings; each stands in the message with what to do. @publicApi */
export class StoreCheckError extends Error {
  readonly code = 'STORE_CHECK';
  override readonly name = 'StoreCheckError';
  readonly findings: readonly StoreFinding<string>[];

  constructor({ store, findings }: StoreReport<string>) {
    super(
      [`${store} is no good store yet:`, ...findings.map(({ code, message }) => `- ${code}: ${message}`)].join('\n'),
    );
    this.findings = findings;
  }
}

/** The report, if there is nothing in it. @throws StoreCheckError @internal */
export function assertNothing<Code extends string>(report: StoreReport<Code>): StoreReport<Code> {
  if (report.findings.length > 0) throw new StoreCheckError(report);
  return report;
}
