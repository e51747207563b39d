/**
 * Proves that the gate bites: node test/bench/bites.mjs [--short]. The short form has the patches of goals 2, 8 and 12.
 * Each patch makes a copy of dist slow or heavy in one way, and
 * the short benchmark must then fail in the named goal, in a row that the untouched copy passes.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = process.env.BENCH_DIST ?? join(root, 'dist');
const run = fileURLToPath(new URL('run.mjs', import.meta.url));

/** `after` and `instead` are texts of the built file; one that is not there exactly once stops the whole run. */
const ALL = [
  {
    what: 'an AbortController for every attempt',
    goal: 2,
    file: 'core/attempt.js',
    edits: [{ after: 'this.isAborted = false;', add: 'void this.signal;' }],
  },
  {
    what: 'a timer for every attempt',
    goal: 9,
    file: 'core/attempt.js',
    edits: [
      {
        instead: 'this.candidate.timers?.add(this, now);',
        add: 'this.startOwnTimer(this.call.plan.engine.clock, this.candidate.timeout);',
      },
    ],
  },
  {
    what: 'the arguments made into a text for every call',
    goal: 2,
    file: 'core/walk.js',
    edits: [{ after: 'call.enter();', add: 'call.text = JSON.stringify(call.args);' }],
  },
  {
    what: "a listener on the caller's signal for every call",
    goal: 9,
    file: 'core/cancellation.js',
    edits: [
      {
        after: 'join(member) {',
        add: "this.signal?.addEventListener('abort', (member.onAbort = () => member.cancel(this.signal.reason)));",
      },
      { after: 'leave(place) {', add: "this.signal?.removeEventListener('abort', place.member.onAbort);" },
    ],
  },
  {
    what: 'a walk over all candidates for every call',
    goal: 8,
    file: 'core/walk.js',
    edits: [
      {
        after: 'call.enter();',
        add: 'call.order = call.plan.candidates.filter(({ circuit }) => circuit !== null).map((each) => ({ each }));',
      },
    ],
  },
  {
    what: 'a snapshot of every answer, however new the last one is',
    goal: 4,
    file: 'substitutes/last-known-good.js',
    edits: [{ instead: 'return this.shelfOf(call).isDue(key, this.options.refreshAfter, now);', add: 'return true;' }],
  },
  {
    what: "calls that stay with the caller's signal when they have ended",
    goal: 9,
    file: 'core/cancellation.js',
    edits: [{ after: 'leave(place) {', add: 'return;' }],
  },
  {
    what: 'a copy of the record of every attempt that has one',
    goal: 6,
    file: 'core/call.js',
    edits: [{ after: 'history.records.push(record);', add: 'structuredClone(record);' }],
  },
  {
    what: 'a stack trace for every error that is classified',
    goal: 12,
    file: 'core/classify/classify.js',
    edits: [{ after: 'const text = bareText(error, last.text);', add: 'void new Error().stack;' }],
  },
  {
    what: 'every success told to the shared store',
    goal: 11,
    file: 'core/shared-health/mirror.js',
    edits: [{ instead: 'now - this.servedAt < SERVED', add: 'false' }],
  },
];

const isShort = process.argv.includes('--short');
const PATCHES = ALL.filter(({ goal }) => !isShort || [2, 8, 12].includes(goal));

const say = (text) => process.stdout.write(`${text}\n`);

function replaceOnce(text, anchor, replacement, where) {
  const parts = text.split(anchor);
  if (parts.length !== 2) throw new Error(`${where} has '${anchor}' ${parts.length - 1} times: write the patch anew`);
  return parts.join(replacement);
}

const patched = (text, { file, edits }) =>
  edits.reduce(
    (sofar, { after, instead = after, add }) =>
      replaceOnce(sofar, instead, after === undefined ? add : `${after}\n${add}\n`, file),
    text,
  );

/** The short benchmark over a copy: its exit code and the names of its failing rows. */
function bench(copy, goals) {
  const json = join(copy, 'rows.json');
  rmSync(json, { force: true });
  const env = { ...process.env, BENCH_DIST: copy };
  const args = [run, '--short', `--goals=${goals.join(',')}`, `--json=${json}`];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 });
  try {
    return { status, failing: JSON.parse(readFileSync(json, 'utf8')).failing };
  } catch {
    throw new Error(`The benchmark did not end by itself:\n${stderr}`);
  }
}

await build();
const folder = mkdtempSync(join(tmpdir(), 'nestjs-fallback-bites-'));
let uncaught = 0;
try {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  cpSync(dist, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  const sources = PATCHES.map((patch) => {
    const path = join(folder, 'esm', patch.file);
    const text = readFileSync(path, 'utf8');
    return { ...patch, path, text, worse: patched(text, patch) };
  });

  const goals = [...new Set(PATCHES.map(({ goal }) => goal))];
  const before = new Set(bench(folder, goals).failing.map(({ what }) => what));
  for (const name of before) say(`The untouched copy fails too, so this row proves nothing: ${name}`);

  for (const { what, goal, path, text, worse } of sources) {
    writeFileSync(path, worse);
    const { status, failing } = bench(folder, [goal]);
    writeFileSync(path, text);
    const caughtBy = failing.filter((each) => each.goal === goal && !before.has(each.what));
    const isCaught = status !== 0 && caughtBy.length > 0;
    if (!isCaught) uncaught++;
    say(
      `${isCaught ? 'caught    ' : 'NOT CAUGHT'} | goal ${goal} | ${what} | ${caughtBy.map((each) => each.what).join('; ')}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
say(`${PATCHES.length - uncaught} of ${PATCHES.length} patches caught on Node ${process.version}.`);
process.exit(uncaught > 0 ? 1 : 0);
