/** What the options of `@Degraded` may be, and what they may not be together. */
import type { ConfigurationFault } from '../core/errors.js';
import { duration, failureKinds, flag, func, show } from '../core/option-rules.js';
import type { Rule, Rules } from '../core/option-rules.js';
import { faultsOf } from '../core/options.js';
import { UNMARKABLE } from '../core/plan.js';
import { elementsOf } from '../core/stream/stand-in-flow.js';
import { isStore } from '../core/value-store.js';
import { readDeferred } from './deferred.js';
import type { DegradedOptions } from './degraded-options.js';
import { markProperty } from './mark.js';
import { snapshot } from './snapshot.js';

const FORMS: readonly unknown[] = ['property', 'served', 'receipt'];

const wholeNumber =
  (of: string): Rule =>
  (value) =>
    Number.isInteger(value) && (value as number) > 0
      ? undefined
      : `give a number of ${of} from 1 up; got ${show(value)}`;

const RULES: Rules<DegradedOptions> = {
  lastKnownGood: {
    maxAge: duration({ beZero: true }),
    key: func,
    refreshAfter: duration(),
    maxBytes: wholeNumber('bytes'),
    collect: wholeNumber('elements'),
    store: (value) =>
      isStore(value) || ['string', 'symbol', 'function'].includes(typeof value)
        ? undefined
        : `give a store with get, set and delete or del, or the class or token of one; got ${show(value)}`,
    version: (value) => (typeof value === 'string' ? undefined : `give a string; got ${show(value)}`),
  },
  substitute: () => undefined,
  skip: flag,
  on: failureKinds,
  enabled: func,
  mark: (value) =>
    typeof value === 'function' || FORMS.includes(value)
      ? undefined
      : `give 'property', 'served', 'receipt' or a function; got ${show(value)}`,
};

/** @internal */
export interface DegradedMessages {
  readonly maxAgeMissing: string;
  readonly unmarkable: string;
  readonly sharedSubstitute: string;
  readonly skipAndSubstitute: string;
}

/**
 * All that is wrong with the options themselves.
 * @param where names class and method
 * @param isStream whether a substitute that is a list is one of elements, each with its own mark
 * @internal
 */
export function faultsOfDegraded(
  options: unknown,
  where: string,
  say: DegradedMessages,
  isStream: boolean,
): ConfigurationFault[] {
  const faults = faultsOf(options, RULES, where);
  if (faults.length > 0) return faults;
  const { lastKnownGood, substitute, skip, mark = 'property' } = options as DegradedOptions;
  const has = Object.hasOwn(options as object, 'substitute');
  if (lastKnownGood !== undefined && lastKnownGood.maxAge === undefined) {
    faults.push({ where, option: 'lastKnownGood.maxAge', message: say.maxAgeMissing });
  }
  if (has && skip === true) faults.push({ where, option: 'skip', message: say.skipAndSubstitute });
  if (!has || typeof substitute === 'function') return faults;
  const { value } = readDeferred(substitute) ?? { value: substitute as unknown };
  if (snapshot(value) === 'value') faults.push({ where, option: 'substitute', message: say.sharedSubstitute });
  else if (mark === 'property' && shown(value, isStream).some((each) => markProperty(each) === UNMARKABLE)) {
    faults.push({ where, option: 'substitute', message: say.unmarkable });
  }
  return faults;
}

/** What carries the mark. */
function shown(value: unknown, isStream: boolean): readonly unknown[] {
  return isStream ? (elementsOf(value) ?? [...(value as Iterable<unknown>)]) : [value];
}
