/** What of the frozen names the package does not have yet. An entry that came must go: these lists can only shrink. */

/** Frozen names that the package does not export yet. */
export const NAMES_TO_COME: readonly string[] = [];

/** Members, and parts of unions, that exported types do not have yet. */
export const MEMBERS_TO_COME: readonly string[] = [
  'ChainOptions.canary',
  'ChainHealthService.drill',
  'FallbackEvent.name: "canary.settled"',
  'FallbackEvent.name: "drill.started"',
  'FallbackEvent.name: "drill.ended"',
];

/** Static methods that exported classes do not have yet. */
export const STATICS_TO_COME: readonly string[] = [];

/** Members that are there, but not as frozen: by what Nest's class is, or because they say more. */
export const UNLIKE: readonly string[] = [
  'FallbackModule[]: only one has an index',
  'ChainHealthService.describe: (chain: string) => ChainDescription instead of (chain: string) => unknown',
];

/** Exported names that are not frozen: what HealthStore speaks of, which may still grow. */
export const EXTRA_NAMES: readonly string[] = ['CircuitOutcome', 'CircuitReading'];

/** Members that are not frozen: what a store may say besides, and what Nest calls. */
export const EXTRA_MEMBERS: readonly string[] = [
  'CircuitPermit.state',
  'CircuitPermit.insists',
  'CircuitPermit.lastServedAt',
  'FallbackModule.onModuleDestroy',
  'FallbackEvents.onApplicationShutdown',
];

/** Functions whose types do more than the frozen ones: calls.types.ts shows what calls they accept. */
export const CHECKED_BY_CALLS: readonly string[] = ['Fallback', 'FallbackChain', 'Degraded'];
