/** Runs the chaos program on a copy of the library. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../model/compile.mjs';

/** @param patch what becomes of a source: its path from the root, and its text */
export function play(options, how, patch) {
  const folder = compile(patch, ['lib', 'test/fleet', 'test/support']);
  try {
    return spawnSync(process.execPath, [join(folder, 'test/fleet/chaos.js'), ...options], how);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
