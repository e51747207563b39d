/** Builds dist where the sources are newer, unless another copy is measured. */
import { fork } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

function newest(folder) {
  const times = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(0, ...times);
}

export async function build() {
  if (process.env.BENCH_DIST !== undefined) return;
  if (existsSync(join(root, 'dist/esm/index.js')) && newest('dist') >= newest('lib')) return;
  process.stdout.write('Building dist.\n');
  await ended(fork(join(root, 'scripts/build.mjs')));
}

/** Resolves when a child has ended well. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
  });
}
