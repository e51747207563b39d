/** Makes a copy of lib and of the model as JavaScript, in a temporary folder, so that programs run without a test runner. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = fileURLToPath(new URL('../..', import.meta.url));

const sourcesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

const MODEL = [
  'lib/core',
  'lib/streaming',
  'lib/stores',
  'lib/substitutes',
  'lib/testing',
  'test/model',
  'test/support',
];
/** So that programs import it by its name. */
const PACKAGE = {
  name: 'nestjs-fallback',
  type: 'module',
  exports: { '.': './lib/index.js', './*': './lib/*/index.js' },
};

/** @param patch what becomes of a source: its path from the root, and its text. Gives the folder. */
export function compile(patch = (_path, text) => text, folders = MODEL) {
  const out = mkdtempSync(join(tmpdir(), 'nestjs-fallback-model-'));
  symlinkSync(join(root, 'node_modules'), join(out, 'node_modules'));
  writeFileSync(join(out, 'package.json'), JSON.stringify(PACKAGE));
  for (const source of folders.flatMap(sourcesOf)) {
    const path = relative(root, source);
    // By what .swcrc says, like tests.
    const { code } = transformSync(patch(path, readFileSync(source, 'utf8')), { filename: source });
    const target = join(out, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  return out;
}

/** Plays programs on a copy. */
export function play(folder, options, how) {
  const main = join(folder, 'test/model/main.js');
  return spawnSync(process.execPath, ['--enable-source-maps', main, ...options], { encoding: 'utf8', ...how });
}
