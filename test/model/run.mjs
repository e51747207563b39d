/** Plays random programs: npm run test:model -- [--seed=7] [--programs=100000] [--path=…]. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.mjs';

const folder = compile();
try {
  const main = join(folder, 'test/model/main.js');
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', main, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
