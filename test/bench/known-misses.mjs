/**
 * Goals that are not reached yet. Until they are, each is held where it stands, some 1.3 to 1.5 times looser than what was
 * measured last on noisy machines; what gets better is tightened here, and a line that is not needed any more is deleted.
 */
export const KNOWN_MISSES = new Map([
  ['no timeout: engine / try-catch with a clock read', 3],
  ['a call, no timeout: engine', 1_700],
  ['a call, timeout: engine', 2_400],
  ["caller's signal unread: engine, with / without", 2.4],
  ['first open / healthy: engine', 2.1],
  ['99 of 100 open / 1 of 2 open: engine', 10],
  ['a call, first open (goal: 1.25 healthy): engine', 3_800],
  ['a call, 99 of 100 open (goal: as 1 of 2): engine', 12_500],
  ['a chain of two candidates', 3_000],
  ['an element, async generator: engine / for await', 2.7],
  ['an element, Observable: decorated / subscribe', 2.3],
]);
