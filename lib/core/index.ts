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
} from './option-types.js';
export type {
  AttemptContext,
  AttemptRecord,
  CandidateHealth,
  CircuitState,
  Clock,
  Duration,
  FailureKind,
  OutcomeKind,
  Receipt,
  Served,
  SkipReason,
  Source,
  Verdict,
} from './types.js';
export type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from './health-store.js';
export type { CacheLike, ValueStore } from './value-store.js';
export { acceptDefined, acceptOk, acceptStatus, acceptTruthy } from './accept.js';
export { createFallbackChain, fallback, fallbackStream } from './chain.js';
export { classifyFailure, strictLlm } from './classify/index.js';
export {
  AttemptTimeoutError,
  BudgetExhaustedError,
  ClientDisconnectedError,
  DeadlineExceededError,
  FallbackConfigurationError,
  FallbackExhaustedError,
  RejectedResultError,
  ShuttingDownError,
} from './errors.js';
export { budgetExhausted, denied, rateLimited, terminal, transient, unsupported } from './failures.js';
export { receiptOf, served } from './marks.js';
