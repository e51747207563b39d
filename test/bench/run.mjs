/**
 * The benchmark: node test/bench/run.mjs [--short] [--goals=1,2] [--json=file]. Fails if a gate does.
 * BENCH_DIST measures another copy of dist.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, ended } from './build.mjs';
import { isFailing, isMet, table } from './rows.mjs';

const child = fileURLToPath(new URL('child.mjs', import.meta.url));

const GROUPS = [
  { group: 'goal-1', goals: [1] },
  { group: 'goal-2', goals: [2, 3] },
  { group: 'goal-4', goals: [4] },
  { group: 'goal-5', goals: [5] },
  { group: 'goal-6', goals: [6] },
  { group: 'goal-7', goals: [7] },
  { group: 'goal-8', goals: [8] },
  { group: 'goal-9', goals: [9] },
  { group: 'goal-10', goals: [10] },
  { group: 'goal-11', goals: [11] },
  { group: 'goal-12', goals: [12] },
  { group: 'bytes', goals: [1, 2, 7], flags: ['--min-semi-space-size=128', '--max-semi-space-size=128'] },
];
const ROUNDS = { full: 15, short: 7, again: 21 };

const { values: options } = parseArgs({
  options: { short: { type: 'boolean' }, goals: { type: 'string' }, json: { type: 'string' } },
});
const form = options.short ? 'short' : 'full';
const goals = options.goals?.split(',').map(Number) ?? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

const say = (text) => process.stdout.write(`${text}\n`);

async function measure({ group, flags = [] }, rounds) {
  const settings = JSON.stringify({ rounds, form, goals });
  const process = fork(child, [group, settings], { execArgv: ['--expose-gc', '--no-warnings', ...flags] });
  let rows = [];
  process.once('message', (sent) => (rows = sent));
  await ended(process);
  return rows.filter(({ goal }) => goals.includes(goal));
}

/**
 * A group with a failing row is measured again, with more rounds, up to two times, unless it is a count: noise changes no
 * count. How V8 happens to compile a process is a tenth of a ratio, so each time is a process of its own.
 */
async function measureAgain(each) {
  let rows = await measure(each, ROUNDS[form]);
  for (let again = 0; again < 2; again++) {
    const failing = rows.filter((one) => isFailing(one, form));
    if (failing.length === 0 || failing.some(({ against }) => against === 'count')) break;
    say(`${each.group}: once more, with more rounds.`);
    rows = await measure(each, ROUNDS.again);
  }
  return rows;
}

await build();
const started = performance.now();
const rows = [];
for (const each of GROUPS) {
  if (each.goals.some((goal) => goals.includes(goal))) rows.push(...(await measureAgain(each)));
}
rows.sort((a, b) => a.goal - b.goal);
const failing = rows.filter((each) => isFailing(each, form));
const missed = rows.filter((each) => !isMet(each));
const spent = ((performance.now() - started) / 1_000).toFixed(0);

say(`\nNode ${process.version}, ${process.platform} ${process.arch}, ${form} form, ${spent} s\n`);
say(table(rows, form));
say(`\n${rows.length} rows, ${missed.length} goals missed, ${failing.length} gates failed.`);
for (const { goal, what } of failing) say(`Goal ${goal} fails its gate: ${what}`);
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify({ rows, failing }));
process.exit(failing.length > 0 ? 1 : 0);
