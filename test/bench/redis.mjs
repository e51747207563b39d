/** A Redis server for whoever measures with one: the tests' own, which dies with this process. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile } from '../model/compile.mjs';

const BINARY = 'redis-server';

/** Null if it is not installed, which a run in CI does not put up with. */
export async function startRedis() {
  if (spawnSync(BINARY, ['--version']).status !== 0) {
    if (process.env.CI === 'true') throw new Error(`${BINARY} is not installed`);
    return null;
  }
  const folder = compile(undefined, ['test/support']);
  try {
    const servers = await import(pathToFileURL(join(folder, 'test/support/redis-process.js')).href);
    return await servers.startRedis();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
