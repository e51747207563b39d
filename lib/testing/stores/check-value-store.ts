/** Whether a store of values keeps its side of the contract. Needs no test runner. */
import type { CacheLike, ValueStore } from '../../core/index.js';
import { handlesOf, playOn } from './bench.js';
import type { StoreOrMake } from './bench.js';
import { assertNothing } from './report.js';
import type { StoreCheckOptions, StoreReport } from './report.js';
import { ValueBench } from './value-bench.js';
import { valueRules } from './value-rules.js';
import type { ValueStoreRule } from './value-rules.js';

/**
 * Keeps texts in a store, under keys of their own, and reports what is wrong. Given a function, it makes two handles of the
 * store and uses them in turns, as two processes would; whoever makes them closes them.
 * @example const { findings } = await checkValueStore(new Keyv())
 * @publicApi
 */
export async function checkValueStore(
  store: StoreOrMake<ValueStore | CacheLike>,
  options: StoreCheckOptions = {},
): Promise<StoreReport<ValueStoreRule>> {
  return playOn(new ValueBench(await handlesOf(store), options), valueRules);
}

/**
 * The same as an assertion, for any test runner.
 * @throws StoreCheckError with everything that was found
 * @example await assertValueStore(createCache())
 * @publicApi
 */
export async function assertValueStore(
  store: StoreOrMake<ValueStore | CacheLike>,
  options?: StoreCheckOptions,
): Promise<StoreReport<ValueStoreRule>> {
  return assertNothing(await checkValueStore(store, options));
}
