/**
 * Four processes and a Redis that fails in every way: npm run test:fleet -- [--seconds=60] [--seed=7]. Without a seed it
 * takes one by chance, and prints it.
 */
import { play } from './play.mjs';

process.exitCode = play(process.argv.slice(2), { stdio: 'inherit' }).status ?? 1;
