/** What of the frozen names the package does not have yet. An entry that came must go: these lists can only shrink. */

/** Frozen names that the package does not export yet. */
export const NAMES_TO_COME: readonly string[] = [
  'StreamSource',
  'CoreStreamCandidate',
  'fallbackStream',
  'BudgetExhaustedError',
  'CircuitPermit',
  'HealthStore',
  'ValueStore',
  'CacheLike',
  'FallbackInterceptor',
  'FallbackEvents',
  'FALLBACK_EVENTS',
];

/** Members, and parts of unions, that exported types do not have yet. */
export const MEMBERS_TO_COME: readonly string[] = [
  'BreakerOptions.mode',
  'BreakerOptions.window',
  'BreakerOptions.volume',
  'BreakerOptions.share',
  'CandidateOptions.minInterval',
  'CandidateOptions.maxConcurrent',
  'ChainOptions.order',
  'ChainOptions.hedge',
  'ChainOptions.budget',
  'ChainOptions.onBudget',
  'ChainOptions.idempotent',
  'ChainOptions.stream',
  'ChainOptions.commitWhen',
  'ChainOptions.errorIn',
  'ChainOptions.idleTimeout',
  'ChainOptions.streamDeadline',
  'ChainOptions.canary',
  'Chain.stream',
  'DegradedOptions.lastKnownGood.store',
  'DegradedOptions.lastKnownGood.collect',
  'DegradedOptions.lastKnownGood.version',
  'FallbackModuleOptions.chains',
  'FallbackModuleOptions.healthStore',
  'FallbackModuleOptions.valueStore',
  'FallbackModuleOptions.storeTimeout',
  'FallbackService.run',
  'FallbackService.stream',
  'FallbackService.forget',
  'ChainHealth.failoverRate',
  'ChainHealth.degradedRate',
  'ChainHealth.paidShare',
  'ChainHealth.since',
  'ChainHealthService.describe',
  'ChainHealthService.isolate',
  'ChainHealthService.restore',
  'ChainHealthService.drill',
  'FallbackEvent.name: "stream.committed"',
  'FallbackEvent.name: "circuit.isolated"',
  'FallbackEvent.name: "circuit.restored"',
  'FallbackEvent.name: "chain.degraded"',
  'FallbackEvent.name: "chain.recovered"',
  'FallbackEvent.name: "store.failed"',
  'FallbackEvent.name: "store.recovered"',
  'FallbackEvent.name: "canary.settled"',
  'FallbackEvent.name: "drill.started"',
  'FallbackEvent.name: "drill.ended"',
];

/** Static methods that exported classes do not have yet. */
export const STATICS_TO_COME: readonly string[] = ['FallbackModule.forFeature'];

/** Members that are there, but not as frozen, by what Nest's class is. */
export const UNLIKE: readonly string[] = ['FallbackModule[]: only one has an index'];

/** Exported names that are not frozen. */
export const EXTRA_NAMES: readonly string[] = [];

/** Members that are not frozen: what Nest calls. */
export const EXTRA_MEMBERS: readonly string[] = ['FallbackModule.configure', 'FallbackModule.onModuleDestroy'];

/** Functions whose types do more than the frozen ones, or await streams: calls.types.ts shows what calls they accept. */
export const CHECKED_BY_CALLS: readonly string[] = ['createFallbackChain', 'Fallback', 'FallbackChain', 'Degraded'];
