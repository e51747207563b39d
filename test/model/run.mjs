/**
 * Plays random programs on the engine and on the model: npm run test:model -- [--seed=7] [--programs=100000]
 * [--only=agreement|streams|order] [--path=…]. Without a seed it takes one by chance, and prints it.
 */
import { rmSync } from 'node:fs';
import { compile, play } from './compile.mjs';

const folder = compile();
try {
  process.exitCode = play(folder, process.argv.slice(2), { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
