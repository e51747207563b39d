/**
 * Goals that are not reached yet. Until they are, each is held where it stands, some 1.3 to 1.5 times looser than what was
 * measured last on noisy machines; what gets better is tightened here, and a line that is not needed any more is deleted.
 */
export const KNOWN_MISSES = new Map([
  ['no timeout: engine / try-catch with a clock read', 3.4],
  ['a call, no timeout: engine', 1_700],
  ['timeout: engine / hand', 0.95],
  ['a call, timeout: engine', 2_400],
  ['signal read: engine / hand', 1.4],
  ["caller's signal unread: engine, with / without", 2.7],
  ['first open / healthy: engine', 2.4],
  ['99 of 100 open / 1 of 2 open: engine', 10],
  ['a call, first open (goal: 1.25 healthy): engine', 3_800],
  ['a call, 99 of 100 open (goal: as 1 of 2): engine', 12_500],
  ['a chain of two candidates', 3_000],
  ['10 000 in flight, CPU: engine / race without a signal', 3.3],
  ['in flight, over bare', 1_500],
  ['an element, async generator: engine / for await', 2.7],
  ['an element, Observable: decorated / subscribe', 2.3],
]);
