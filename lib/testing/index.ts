export { CandidateCheckError, assertCandidate, checkCandidate } from './check-candidate.js';
export type { CandidateReport, CheckOptions } from './check-candidate.js';
export type { Finding } from './findings.js';
export { MemoryHealthStore } from './memory-health-store.js';
export type { Situation, SituationName } from './situations.js';
export { TestClock } from './test-clock.js';
