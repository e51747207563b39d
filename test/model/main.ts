import { checkAgreement, ties } from './properties.js';

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

const seed = Number(option('seed') ?? Math.floor(Math.random() * 2 ** 31));
const programs = Number(option('programs') ?? 2000);
const path = option('path');
const say = (text: string): void => void process.stdout.write(`${text}\n`);
say(`seed ${seed}, ${programs} programs`);
const startedAt = performance.now();
const details = await checkAgreement({ seed, programs, ...(path !== undefined && { path }) });
const seconds = (performance.now() - startedAt) / 1000;
say(`${details.numRuns} programs in ${seconds.toFixed(1)} s: ${Math.round(details.numRuns / seconds)} per second, ${ties.count} tied`);
if (details.failed) {
  say((details.errorInstance as Error).message);
  say((details.errorInstance as Error).stack!.slice(0,1500));
  say(`replay: npm run test:model -- --seed=${seed} --path=${details.counterexamplePath}`);
  process.exitCode = 1;
}
