/** Time and bytes per call, measured so that the noise of the machine falls on all that are compared. */
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as tick } from 'node:timers/promises';
import { compileFunction } from 'node:vm';

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

let loops = 0;
/** A loop of its own for each subject: a shared one would call them all through one megamorphic site. */
const loopOf = (fn) => {
  const source = `/* ${loops++} */ return (async () => { for (let i = 0; i < n; i++) await fn(); })();`;
  const loop = compileFunction(source, ['fn', 'n']);
  return (n) => loop(fn, n);
};

const nsPerCall = async (loop, n) => {
  const start = performance.now();
  await loop(n);
  return ((performance.now() - start) * 1e6) / n;
};

/**
 * Times subjects in interleaved rounds, each round in another order.
 * `ratio(a, b)` is the median over the rounds of a's time by b's in the same round.
 */
export async function compare(subjects, { rounds, slice = 12 }) {
  for (const [name, fn] of Object.entries(subjects)) {
    if ((await fn())?.id !== '7') throw new Error(`${name} gives no answer`);
  }
  const runs = Object.entries(subjects).map(([name, fn]) => ({ name, loop: loopOf(fn), n: 200, ns: [] }));
  for (let pass = 0; pass < 4; pass++) {
    for (const run of runs) {
      const ns = await nsPerCall(run.loop, run.n);
      run.n = Math.max(20, Math.ceil(((pass < 3 ? 50 : slice) * 1e6) / ns));
      await tick();
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < runs.length; place++) {
      const run = runs[(place + round) % runs.length];
      run.ns.push(await nsPerCall(run.loop, run.n));
      await tick();
    }
  }
  const times = Object.fromEntries(runs.map(({ name, ns }) => [name, ns]));
  const perRound = (fn) => median(Array.from({ length: rounds }, (_, round) => fn((name) => times[name][round])));
  return {
    ns: (name) => median(times[name]),
    ratio: (a, b) => perRound((at) => at(a) / at(b)),
    perRound,
  };
}

let collections = 0;
const watchCollections = () => {
  const observer = new PerformanceObserver((list) => (collections += list.getEntries().length));
  observer.observe({ entryTypes: ['gc'] });
  return observer;
};

/**
 * Bytes that one call allocates, its own promise and its candidate's included: the growth of the heap over many calls
 * in which nothing was collected. Needs --expose-gc and a young generation that holds all of it.
 */
export async function bytesPerCall(fn, { repeats = 5, most = 4_000 } = {}) {
  const loop = loopOf(fn);
  for (let pass = 0; pass < 5; pass++) {
    await loop(6_000);
    await tick();
  }
  const observer = watchCollections();
  const seen = [];
  let n = most;
  while (seen.length < repeats) {
    if (n < 100) throw new Error('the collector runs all the time: give it a larger young generation');
    globalThis.gc();
    await tick();
    await tick();
    collections = 0;
    const before = process.memoryUsage().heapUsed;
    await loop(n);
    const after = process.memoryUsage().heapUsed;
    await tick();
    await tick();
    if (collections === 0) seen.push((after - before) / n);
    else n >>= 1;
  }
  observer.disconnect();
  return median(seen);
}

/** Bytes that live after a full collection. */
export async function liveBytes() {
  for (let pass = 0; pass < 3; pass++) {
    await tick();
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** Timers that keep the process alive. */
export const activeTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

export { tick };
