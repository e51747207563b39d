/** 10 000 calls in flight that share one caller's signal. */
import { getEventListeners } from 'node:events';
import { hand, handWithSignal } from '../baselines.mjs';
import { activeTimers, liveBytes, median, tick } from '../measure.mjs';
import { row } from '../rows.mjs';
import { ANSWER, createFallbackChain, provider, QUERY } from '../subjects.mjs';

const CALLS = 10_000;
const TIMEOUT = 60_000;

let gate = Promise.resolve(ANSWER);
const wait = () => gate;

const warned = new WeakSet();
process.on('warning', (warning) => {
  if (warning.name === 'MaxListenersExceededWarning') warned.add(warning.target);
});

/** Starts all calls, looks at them in flight, lets them end. */
async function wave(call, look = async () => {}) {
  let open;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const calls = Array.from({ length: CALLS }, () => gate);
  for (let place = 0; place < CALLS; place++) calls[place] = call();
  await tick();
  await look();
  open(ANSWER);
  await Promise.all(calls);
}

async function cpu(call) {
  globalThis.gc();
  const start = process.cpuUsage();
  await wave(call);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

async function bytesInFlight(call) {
  const seen = [];
  for (let round = 0; round < 3; round++) {
    const before = await liveBytes();
    await wave(call, async () => seen.push(((await liveBytes()) - before) / CALLS));
  }
  return median(seen);
}

async function bytesRetained(call) {
  const seen = [];
  for (let round = 0; round < 4; round++) {
    const before = await liveBytes();
    await wave(call);
    seen.push(((await liveBytes()) - before) / CALLS);
  }
  return median(seen.slice(1));
}

export async function measure({ rounds }) {
  const { signal } = new AbortController();
  const chain = createFallbackChain([wait, wait], { timeout: TIMEOUT });
  const method = { candidates: [wait, wait], options: { timeout: TIMEOUT }, signal: true };
  const host = await provider({ call: method });
  const calls = {
    engine: () => chain.run({ signal }),
    decorated: () => host.call(QUERY, signal),
    race: hand([wait, wait], { timeout: TIMEOUT + 1 }),
  };

  const idle = activeTimers();
  let timers = NaN;
  let listeners = NaN;
  await wave(calls.engine, async () => {
    timers = activeTimers() - idle;
    listeners = getEventListeners(signal, 'abort').length;
  });
  const timersAfter = activeTimers() - idle;
  const inFlight = (await bytesInFlight(calls.engine)) - (await bytesInFlight(async () => await wait()));
  const retained = await bytesRetained(calls.engine);

  const costs = { engine: [], decorated: [], race: [], hand: [] };
  for (let round = 0; round < Math.min(rounds, 7); round++) {
    for (const [name, call] of Object.entries(calls)) costs[name].push(await cpu(call));
    if (round >= 3) continue; // quadratic in the calls: seconds for each round
    const caller = new AbortController().signal;
    costs.hand.push(await cpu(handWithSignal([wait, wait], { timeout: TIMEOUT + 2, caller })));
  }
  const ratio = (a, b) => median(costs[a]) / median(costs[b]);
  const by = (a, b) => `${ratio(a, b).toFixed(2)}x`;
  return [
    row(9, '10 000 in flight, CPU: engine / race without a signal', ratio('engine', 'race'), 'hand', 2),
    row(9, '10 000 in flight, CPU: hand with signal / engine', ratio('hand', 'engine'), 'hand', 5, { atLeast: true }),
    row(9, '10 000 in flight, CPU: decorated, signal handed on / race', by('decorated', 'race'), 'info'),
    row(9, '10 000 in flight, CPU: hand with signal / decorated', by('hand', 'decorated'), 'info'),
    row(9, 'in flight, over bare', inFlight, 'bytes', 1_100),
    row(9, 'retained of a settled call', retained, 'bytes', 20),
    row(9, 'active timers at the peak', timers, 'count', 1),
    row(9, 'active timers afterwards', timersAfter, 'count', 0),
    row(9, 'listeners on the signal', listeners, 'count', 1),
    row(9, 'MaxListenersExceededWarning', warned.has(signal) ? 1 : 0, 'count', 0),
  ];
}
