/** The default classifier: a plain error, and the worst of the recorded ones, against `new Error()`. */
import { readFileSync } from 'node:fs';
import { revive } from '../../fixtures/revive-error.mjs';
import { median } from '../measure.mjs';
import { row } from '../rows.mjs';
import { load } from '../subjects.mjs';

const { classifyFailure } = await load('core/index.js');
const { cases, meta } = JSON.parse(readFileSync(new URL('../../fixtures/error-shapes.json', import.meta.url), 'utf8'));
const AT = { now: meta.nowMs };
const TIMES = 1_000;

/** Kept, so that no compiler can leave out what nobody reads. */
export let last;

/** ns that one call takes. */
function ns(fn, times = TIMES) {
  const start = performance.now();
  for (let i = 0; i < times; i++) last = fn();
  return ((performance.now() - start) * 1e6) / times;
}

const classify = (error) => () => classifyFailure(error, AT);

/** The recorded errors, those that take longest first. */
function slowest() {
  const recorded = cases.filter(({ threw }) => threw).map(({ shape }) => classify(revive(shape)));
  for (let pass = 0; pass < 3; pass++) for (const each of recorded) ns(each, 100);
  const timed = recorded.map((each) => ({ each, time: median([ns(each, 100), ns(each, 100), ns(each, 100)]) }));
  return timed.sort((one, other) => other.time - one.time).map(({ each }) => each);
}

export function measure({ rounds }) {
  const plain = classify(new Error('down'));
  const candidates = slowest().slice(0, 5);
  const perRound = Array.from({ length: rounds }, () => {
    const made = ns(() => new Error());
    return [ns(plain) / made, ...candidates.map((each) => ns(each) / made)];
  });
  const [ofPlain, ...ofWorst] = perRound[0].map((_, column) => median(perRound.map((ratios) => ratios[column])));
  return [
    row(12, 'classify a plain error / new Error()', ofPlain, 'itself', 2, { slack: 1 }),
    row(12, 'classify the worst recorded error / new Error()', Math.max(...ofWorst), 'itself', 10, { slack: 1 }),
  ];
}
