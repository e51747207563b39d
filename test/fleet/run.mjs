/**
 * Four processes and a Redis that fails in every way: npm run test:fleet -- [--seconds=60] [--seed=7]. Without a seed it
 * takes one by chance, and prints it.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../model/compile.mjs';

const folder = compile(undefined, ['lib', 'test/fleet', 'test/support']);
try {
  const program = [join(folder, 'test/fleet/chaos.js'), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, program, { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
