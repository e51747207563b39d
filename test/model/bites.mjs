/**
 * Proves that the model bites: npm run test:model:bites [-- --short]. Each mutation makes a copy of the engine wrong in
 * one way, and random programs must then find it; the untouched copy passes. The short form has the first six,
 * and the first three of streams.
 */
import { rmSync } from 'node:fs';
import { compile, play } from './compile.mjs';

/** `instead` is a text of the source; one that is not there exactly once stops the whole run. */
const ALL = [
  {
    what: 'two probes at a time',
    file: 'lib/core/circuit.ts',
    instead: 'now >= circuit.openUntil && now >= circuit.probeUntil &&',
    add: 'now >= circuit.openUntil &&',
  },
  {
    what: 'a degraded answer is stored',
    file: 'lib/core/answer.ts',
    instead: 'if (degraded !== null) {',
    add: 'if (degraded !== null) { plan.substitutes?.remember(call, value);',
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

const STREAMS = [
  {
    what: 'the source of a loser is not closed',
    file: 'lib/core/stream/opening.ts',
    instead: '    this.source?.close();\n    // The permit',
    add: '    // The permit',
  },
  {
    what: 'what a loser gave is spliced before the elements of the next',
    file: 'lib/core/stream/opening.ts',
    instead: '    this.attempt.drop(error);\n    this.reject(error);',
    add: '    for (const one of this.elements) this.call.consumer.next(one);\n    this.attempt.drop(error);\n    this.reject(error);',
  },
  {
    what: 'a break of the consumer is a failure of the candidate',
    file: 'lib/core/stream/flow.ts',
    instead: 'this.attempt.drop(CONSUMER_LEFT);\n    this.succeed();',
    add: 'this.attempt.drop(CONSUMER_LEFT);\n    this.settle(RULINGS.transient);',
  },
  {
    what: 'a stream that breaks after its commit ends cleanly for its consumer',
    file: 'lib/core/stream/flow.ts',
    instead: 'this.fail(error);\n    this.consumer.error(error);',
    add: 'this.fail(error);\n    this.consumer.complete();',
  },
  {
    what: 'a failure after the commit does not count',
    file: 'lib/core/stream/flow.ts',
    instead: 'this.fail(error);\n    this.consumer.error(error);',
    add: 'this.settle(RULINGS.ok);\n    this.consumer.error(error);',
  },
  {
    what: 'silence after the commit does not count',
    file: 'lib/core/stream/flow.ts',
    instead: 'this.cut(error, RULINGS.timeout)',
    add: 'this.cut(error, OUT_OF_TIME)',
  },
  {
    what: 'the end of the time of a whole stream counts against its candidate',
    file: 'lib/core/stream/flow.ts',
    instead: 'this.cut(error, OUT_OF_TIME)',
    add: 'this.cut(error, RULINGS.timeout)',
  },
  {
    what: 'the commit leaves a probe open',
    file: 'lib/core/stream/commit.ts',
    instead: 'return breaker !== null && circuit.probeUntil',
    add: 'return breaker === null && circuit.probeUntil',
  },
  {
    what: 'a last resort closes its circuit by its commit alone',
    file: 'lib/core/stream/commit.ts',
    instead: 'circuit.probeUntil !== 0',
    add: 'circuit.openUntil !== 0',
  },
  {
    what: 'priming elements commit',
    file: 'lib/core/stream/opening.ts',
    instead: 'const carries = commitWhen === null || ',
    add: 'const carries = commitWhen !== undefined || ',
  },
  {
    what: 'the elements of a stream that was left are kept as the last known good',
    file: 'lib/core/stream/flow.ts',
    instead: 'this.attempt.drop(CONSUMER_LEFT);\n',
    add: 'this.attempt.drop(CONSUMER_LEFT);\n    this.serving.collector?.keep();\n',
  },
  {
    what: 'silence is not noticed',
    file: 'lib/core/stream/flow.ts',
    instead: 'this.silence = silenceOf(',
    add: 'this.silence = null && silenceOf(',
  },
  {
    what: 'an element of a substitute without its mark',
    file: 'lib/core/stream/shape.ts',
    instead: 'const marked = marker === null ?',
    add: "const marked = marker === null || receipt.source === 'static' ?",
  },
  {
    what: 'a stream that was held and not needed stays open',
    file: 'lib/core/stream/stream-call.ts',
    instead: 'if (held !== undefined && held !== this.committed) held.release();',
    add: '',
  },
  {
    what: 'the signal of a stream that was held and not needed is not aborted',
    file: 'lib/core/stream/opening.ts',
    instead: 'this.attempt.drop(NOT_NEEDED);',
    add: '',
  },
  {
    what: 'a source is asked ahead of who reads',
    file: 'lib/core/stream/readers.ts',
    instead: 'resolve({ value: element, done: false });',
    add: 'resolve({ value: element, done: false });\n      this.feed?.pull();',
    only: 'order',
  },
].map(({ only = 'streams', ...mutation }) => ({
  ...mutation,
  programs: ['--seed=3', `--only=${only}`, '--programs=3000', '--no-shrink'],
}));

const PROGRAMS = ['--seed=3', '--programs=4000', '--no-shrink'];
const MUTATIONS = process.argv.includes('--short')
  ? [...ALL.slice(0, 6), ...STREAMS.slice(0, 3)]
  : [...ALL, ...STREAMS];

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
    return play(folder, mutation?.programs ?? PROGRAMS).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const findings = (told) => [...told.matchAll(/^(agreement|streams|order): FAILED after (\d+) programs/gm)];

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
