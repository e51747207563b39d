/** Plays random programs and says how many per second; see run.mjs. */
import * as fc from 'fast-check';
import { agreement, anyOrder, streams, ties } from './properties.js';

const has = (name: string): boolean => process.argv.includes(`--${name}`);
const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Of ten programs six of values and two of streams are compared with the model, two are played in any order. */
const PROPERTIES = [
  { name: 'agreement', share: 0.6, property: agreement },
  { name: 'streams', share: 0.2, property: streams },
  { name: 'order', share: 0.2, property: anyOrder() },
];

const seed = Number(option('seed') ?? Math.floor(Math.random() * 2 ** 31));
const programs = Number(option('programs') ?? 2_000);
const only = option('only');
const path = option('path');

say(`seed ${seed}, ${programs} programs`);
for (const { name, share, property } of PROPERTIES) {
  if (only !== undefined && only !== name) continue;
  ties.count = 0;
  const startedAt = performance.now();
  const details = await fc.check(property as fc.IAsyncProperty<unknown[]>, {
    seed,
    numRuns: Math.ceil(only === undefined ? programs * share : programs),
    endOnFailure: has('no-shrink'),
    ...(path !== undefined && { path }),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const pace = Math.round(details.numRuns / seconds);
  const tied = name === 'order' ? '' : `, ${ties.count} tied`;
  say(`${name}: ${details.failed ? 'FAILED after ' : ''}${details.numRuns} programs, ${pace} per second${tied}`);
  if (!details.failed) continue;
  say(`\n${(details.errorInstance as Error).message}\n`);
  say(`replay: npm run test:model -- --only=${name} --seed=${seed} --path=${details.counterexamplePath}`);
  process.exitCode = 1;
}
