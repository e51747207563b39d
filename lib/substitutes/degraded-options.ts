import type { CacheLike, ValueStore } from '../core/value-store.js';
import type { FailureKind, Receipt, Duration } from '../core/types.js';

/** What a key function may give: a scalar, or scalars that together name the owner of the value. */
type LastKnownGoodKey =
  string | number | bigint | boolean | readonly (string | number | bigint | boolean)[] | null | undefined;

/**
 * What is served, marked, when no candidate answers.
 * @example @Degraded({ lastKnownGood: { maxAge: '15m' }, substitute: [], mark: 'served' })
 * @publicApi
 */
export interface DegradedOptions<T = any> {
  /** the last full answer to the same arguments */
  lastKnownGood?: {
    /** a hard bound on the age of what is served; 0 switches it off */
    maxAge: Duration;
    /**
     * whose value it is; required on controllers and request-scoped hosts. `undefined`, `null`, `NaN` and `''` mean:
     * nothing is stored and nothing served. Default: the chain's name and the arguments
     */
    key?: (...args: any[]) => LastKnownGoodKey;
    /** at most one write per key in this time; default 1 s */
    refreshAfter?: Duration;
    /** larger values are not stored; default 256 kB */
    maxBytes?: number;
    /** streams: the elements of one that ended well are kept if they are no more than this; default none are kept */
    collect?: number;
    /**
     * where values are kept: a store, or the class or token of a provider that is one; default `forRoot({ valueStore })`,
     * else this process
     */
    store?: ValueStore | CacheLike | string | symbol | (new (...args: any[]) => unknown);
    /** another text in each release that changes what values look like: what another version stored is not served */
    version?: string;
  };
  /** a value, or a function of the method's arguments that makes one; its presence decides, not its truth */
  substitute?: T | ((this: any, ...args: any[]) => unknown);
  /** the step may be left out: the method gives `undefined` */
  skip?: boolean;
  /** only after a last failure of one of these kinds; default all */
  on?: readonly FailureKind[];
  /** switches the substitutes at run time; asked when one is needed */
  enabled?: () => boolean;
  /**
   * how a degraded answer shows it: a shallow copy with `degraded: true` (`'property'`, default), an envelope around
   * every answer of the method (`'served'`), a function, or receipt, event and header alone (`'receipt'`)
   */
  mark?: 'property' | 'served' | 'receipt' | ((value: any, receipt: Receipt) => unknown);
}
