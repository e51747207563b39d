/** Plays random programs and says how many per second; see run.mjs. */
import * as fc from 'fast-check';
import { agreement, anyOrder, ties } from './properties.js';

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const PROPERTIES = { agreement, order: anyOrder() };

const seed = Number(option('seed') ?? Math.floor(Math.random() * 2 ** 31));
const programs = Number(option('programs') ?? 2_000);
const path = option('path');
const only = option('only');

/** One program in five is played in any order. */
const SHARES = { agreement: 0.8, order: 0.2 };

say(`seed ${seed}, ${programs} programs`);
for (const name of ['agreement', 'order'] as const) {
  if (only !== undefined && only !== name) continue;
  const startedAt = performance.now();
  const numRuns = Math.ceil(programs * (only === undefined ? SHARES[name] : 1));
  const replay = path === undefined ? {} : { path };
  const details = await fc.check<unknown[]>(PROPERTIES[name] as fc.IAsyncProperty<unknown[]>, { seed, numRuns, ...replay });
  const seconds = (performance.now() - startedAt) / 1_000;
  const tied = name === 'agreement' ? `, ${ties.count} tied` : '';
  say(`${name}: ${details.numRuns} in ${seconds.toFixed(1)} s, ${Math.round(details.numRuns / seconds)} per second${tied}`);
  if (!details.failed) continue;
  say(`\n${String((details.errorInstance as Error).stack)}`);
  say(`\nreplay: npm run test:model -- --only=${name} --seed=${seed} --path=${details.counterexamplePath}`);
  process.exitCode = 1;
}
