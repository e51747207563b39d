export type {
  BreakerOptions,
  CandidateOptions,
  Chain,
  ChainOptions,
  CoreCandidate,
  CoreOptions,
  CoreStreamCandidate,
  ObservableLike,
  StreamSource,
} from './core/option-types.js';
export type {
  AttemptContext,
  AttemptRecord,
  CandidateHealth,
  CircuitState,
  Clock,
  Duration,
  FailureKind,
  FallbackEvent,
  OutcomeKind,
  Receipt,
  Served,
  SkipReason,
  Source,
  Verdict,
} from './core/types.js';
export type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from './core/health-store.js';
export type { CacheLike, ValueStore } from './core/value-store.js';
export { acceptDefined, acceptOk, acceptStatus, acceptTruthy } from './core/accept.js';
export { createFallbackChain, fallback, fallbackStream } from './core/chain.js';
export { classifyFailure, strictLlm } from './core/classify/index.js';
export {
  AttemptTimeoutError,
  BudgetExhaustedError,
  ClientDisconnectedError,
  DeadlineExceededError,
  FallbackConfigurationError,
  FallbackExhaustedError,
  RejectedResultError,
  ShuttingDownError,
} from './core/errors.js';
export { budgetExhausted, denied, rateLimited, terminal, transient, unsupported } from './core/failures.js';
export { receiptOf, served } from './core/marks.js';
export { Attempt, AttemptSignal } from './decorators/attempt.decorator.js';
export { from } from './decorators/candidate-ref.js';
export type { CandidateRef, FallbackCandidate, From } from './decorators/candidate-ref.js';
export { Degraded } from './decorators/degraded.decorator.js';
export { Fallback, FallbackChain } from './decorators/fallback-chain.decorator.js';
export { CHAIN_HEALTH, FALLBACK_EVENTS, FALLBACK_SERVICE } from './fallback.constants.js';
export { FallbackEvents } from './fallback.events.js';
export { FallbackInterceptor } from './fallback.interceptor.js';
export { FallbackModule } from './fallback.module.js';
export type { FallbackModuleOptions } from './fallback.module-options.js';
export { FallbackService } from './fallback.service.js';
export { ChainHealthService } from './health/chain-health.service.js';
export type { ChainHealth } from './health/chain-health.service.js';
export { deferred } from './substitutes/deferred.js';
export type { DegradedOptions } from './substitutes/degraded-options.js';
