/**
 * Proves that the model bites: npm run test:model:bites [-- --short]. Each mutation makes a copy of the engine wrong in
 * one way, and random programs must then find it; the untouched copy passes. The short form has the first six.
 */
import { rmSync } from 'node:fs';
import { compile, play } from './compile.mjs';

/** `instead` is a text of the source; one that is not there exactly once stops the whole run. */
const ALL = [
  {
    what: 'two probes at a time',
    file: 'lib/core/circuit.ts',
    instead: 'now < circuit.openUntil || now < circuit.probeUntil ||',
    add: 'now < circuit.openUntil ||',
  },
  {
    what: 'a degraded answer is stored',
    file: 'lib/core/answer.ts',
    instead: 'if (before !== null || candidate.degraded || isThin) {',
    add: 'if (before !== null || candidate.degraded || isThin) { plan.substitutes?.remember(call, value);',
  },
  {
    what: 'a caller who goes away counts against the candidate',
    file: 'lib/core/verdict.ts',
    instead: "{ kind: 'cancelled', next: 'stop', health: 'ignore' }",
    add: "{ kind: 'cancelled', next: 'stop', health: 'failure' }",
  },
  {
    what: 'advice is ignored',
    file: 'lib/core/circuit.ts',
    instead: 'if (retryAfter !== undefined) {',
    add: 'if (retryAfter === Infinity) {',
  },
  {
    what: 'a substitute is served after a terminal error',
    file: 'lib/core/conclude.ts',
    instead: "if (ruling.kind !== 'budget') throw",
    add: "if (ruling.kind !== 'budget' && call.plan.substitutes === null) throw",
  },
  {
    what: 'what comes late is a success of the candidate',
    file: 'lib/core/late.ts',
    instead: 'candidate.tally.count(late);',
    add: 'candidate.tally.count(late); candidate.circuit.failures = 0;',
  },
  {
    what: 'an ignored outcome keeps the permit of its probe',
    file: 'lib/core/circuit.ts',
    instead: '  circuit.probeUntil = 0;\n  return null;\n}\n\n/** Forgets',
    add: '  return null;\n}\n\n/** Forgets',
  },
  {
    what: 'an outcome counts toward a later period',
    file: 'lib/core/circuit.ts',
    instead: 'if (epoch !== circuit.epoch || (isOpen',
    add: 'if ((isOpen',
  },
  {
    what: 'a paid empty answer escalates',
    file: 'lib/core/verdict.ts',
    instead: "stop: { ...RULINGS.empty, next: 'stop' }",
    add: "stop: { ...RULINGS.empty, next: 'hold' }",
  },
  {
    what: 'the last known good is served a moment less than maxAge',
    file: 'lib/substitutes/last-known-good.ts',
    instead: '-ahead > this.options.maxAge',
    add: '-ahead >= this.options.maxAge',
  },
  {
    what: 'a substitute without its mark',
    file: 'lib/core/answer.ts',
    instead: 'marker === null ?',
    add: "marker === null || ending.source === 'static' ?",
  },
  {
    what: 'candidates are cut at the deadline, whatever is reserved',
    file: 'lib/core/call-time.ts',
    instead: 'this.cutAt = this.endAt - this.reserve;',
    add: 'this.cutAt = this.endAt;',
  },
];

const PROGRAMS = ['--seed=3', '--programs=3000', '--no-shrink'];
const MUTATIONS = process.argv.includes('--short') ? ALL.slice(0, 6) : ALL;

const say = (text) => process.stdout.write(`${text}\n`);

function replaceOnce(text, { file, instead, add }) {
  const parts = text.split(instead);
  if (parts.length !== 2)
    throw new Error(`${file} has '${instead}' ${parts.length - 1} times: write the mutation anew`);
  return parts.join(add);
}

/** What the programs say of an engine, mutated or not. */
function playOn(mutation) {
  const folder = compile((path, text) => (path === mutation?.file ? replaceOnce(text, mutation) : text));
  try {
    return play(folder, PROGRAMS).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const findings = (told) => [...told.matchAll(/^(agreement|order): FAILED after (\d+) programs/gm)];

const before = playOn();
if (!before.includes('order: ') || findings(before).length > 0)
  throw new Error(`The untouched engine fails:\n${before}`);

let unfound = 0;
for (const mutation of MUTATIONS) {
  const told = playOn(mutation);
  const found = findings(told);
  if (found.length === 0) unfound++;
  const by = found.map(([, property, count]) => `${property} after ${count}`).join(', ');
  const how = /Broken: .*|They differ: .*/.exec(told)?.[0] ?? '';
  say(`${found.length > 0 ? 'found    ' : 'NOT FOUND'} | ${mutation.what} | ${by} | ${how}`);
}
say(`${MUTATIONS.length - unfound} of ${MUTATIONS.length} mutations found on Node ${process.version}.`);
process.exitCode = unfound > 0 ? 1 : 0;
