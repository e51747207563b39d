/**
 * Something a call waits for that can be cut short: by its timer, by the caller, by shutdown.
 *
 * The wait is settled by value, never by rejection: a failure or a cut is a marker here and a field on the race. And
 * whoever cuts only opens the gate; what follows runs in a reaction of the call itself, so in the call's own
 * AsyncLocalStorage context, whoever's timer or signal it was.
 */
import { isThenable, ignore } from './thenable.js';
import { Timed } from './timer-list.js';

/** The work failed; the race's `error` says how. @internal */
export const FAILED: unique symbol = Symbol('failed');
/** The work was cut; the race's `cut` says by what. @internal */
export const CUT: unique symbol = Symbol('cut');

/** What can end a wait before its work does; `untimed`: nobody could say how long it may take, so it never began. @internal */
export type Cut = 'timeout' | 'deadline' | 'cancelled' | 'untimed';

type Open = (value: unknown) => void;

// A static executor: no closure per gate.
let openLast: Open;
const executor = (resolve: Open): void => {
  openLast = resolve;
};

/** @internal */
export class Race extends Timed {
  error: unknown = undefined;
  cut: Cut | null = null;
  /** what must be let go of when the wait is cut; run in the call's own context */
  teardown: (() => void) | null = null;
  private open: Open | null = null;

  /** @param isCuttable whether anything can cut it: without a timer and a caller's signal no gate is needed */
  constructor(readonly isCuttable: boolean) {
    super();
  }

  /** Ends with the candidates' part of the deadline; a substitute has a time of its own. */
  get isCandidates(): boolean {
    return false;
  }

  /** What `work` gives, or FAILED, or CUT. An uncuttable race is the work itself, and may reject. */
  wait(work: unknown): unknown {
    if (!this.isCuttable || !isThenable(work)) return this.cut === null ? work : CUT;
    if (this.cut !== null) {
      work.then(ignore, ignore);
      return CUT;
    }
    const gate = new Promise<unknown>(executor);
    const open = (this.open = openLast);
    work.then(open, (error: unknown) => {
      if (this.cut === null) this.error = error;
      open(FAILED);
    });
    return gate;
  }

  /** What a cut opens where there is no gate: told CUT at once, in the context of whoever cuts. */
  onCut(open: Open): void {
    this.open = open;
    if (this.cut !== null) open(CUT);
  }

  fail(error: unknown): typeof FAILED | typeof CUT {
    if (this.cut !== null) return CUT;
    this.error = error;
    return FAILED;
  }

  /** Lets go of what the cut work still holds; what that throws is of no interest any more. */
  release(): void {
    try {
      this.teardown?.();
    } catch {
      // the work was given up anyway
    }
    this.teardown = null;
  }

  /** Lets go of it for good, since whoever waited has gone. */
  abort(): void {
    this.release();
  }

  interrupt(by: Cut): void {
    if (this.cut !== null) return;
    this.cut = by;
    this.open?.(CUT);
  }

  expire(): void {
    this.interrupt('timeout');
  }
}
