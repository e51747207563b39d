/** Whether a health store keeps its side of the contract. Needs no test runner. */
import type { HealthStore } from '../../core/index.js';
import { adviceRules } from './advice-rules.js';
import type { AdviceRule } from './advice-rules.js';
import { handlesOf, playOn } from './bench.js';
import type { StoreOrMake } from './bench.js';
import { changeRules } from './change-rules.js';
import type { ChangeRule } from './change-rules.js';
import { CircuitBench } from './circuit-bench.js';
import { controlRules } from './control-rules.js';
import type { ControlRule } from './control-rules.js';
import { openingRules } from './opening-rules.js';
import type { OpeningRule } from './opening-rules.js';
import { periodRules } from './period-rules.js';
import type { PeriodRule } from './period-rules.js';
import { probeRules } from './probe-rules.js';
import type { ProbeRule } from './probe-rules.js';
import { assertNothing } from './report.js';
import type { StoreCheckOptions, StoreReport } from './report.js';
import type { Rule } from './rules.js';

/** What a health store is checked for. @publicApi */
export type HealthStoreRule =
  'not-shared' | OpeningRule | ProbeRule | PeriodRule | AdviceRule | ControlRule | ChangeRule;

const sharing: Record<'not-shared', Rule<CircuitBench>> = {
  'not-shared': {
    advice:
      'give a function that makes handles of one truth, as two processes have; a store that lives in one process, itself',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.control('isolate');
      const permits = [await circuit.admit(), await circuit.admit()];
      const [first, second] = permits.map(({ granted }) => granted);
      if (first === second) return undefined;
      bench.handles = [bench.handles[0], bench.handles[0]];
      return 'what one handle was told, the other does not know';
    },
  },
};

const RULES: Record<HealthStoreRule, Rule<CircuitBench>> = {
  ...sharing,
  ...openingRules,
  ...probeRules,
  ...periodRules,
  ...adviceRules,
  ...controlRules,
  ...changeRules,
};

/**
 * Plays circuits in a store, each under a key of its own, and reports what is wrong. Given a function, it makes two handles
 * of the store and uses them in turns, as two processes would; whoever makes them closes them.
 * @example const { findings } = await checkHealthStore(() => new RedisHealthStore(new Redis(url)))
 * @publicApi
 */
export async function checkHealthStore(
  store: StoreOrMake<HealthStore>,
  options: StoreCheckOptions = {},
): Promise<StoreReport<HealthStoreRule>> {
  return playOn(new CircuitBench(await handlesOf(store), options), RULES);
}

/**
 * The same as an assertion, for any test runner.
 * @throws StoreCheckError with everything that was found
 * @example await assertHealthStore(new MemoryHealthStore({ clock }), { wait: (ms) => clock.advance(ms) })
 * @publicApi
 */
export async function assertHealthStore(
  store: StoreOrMake<HealthStore>,
  options?: StoreCheckOptions,
): Promise<StoreReport<HealthStoreRule>> {
  return assertNothing(await checkHealthStore(store, options));
}
