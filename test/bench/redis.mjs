/** A Redis server for whoever measures with one: the tests' own, which dies with this process. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile } from '../model/compile.mjs';

/** Null if it is not installed, which a run in CI does not put up with. */
export async function startRedis() {
  const folder = compile(undefined, ['test/support']);
  try {
    const servers = await import(pathToFileURL(join(folder, 'test/support/redis-process.js')).href);
    if (servers.isInstalled) return await servers.startRedis();
    if (process.env.CI === 'true') throw new Error(`${servers.BINARY} is not installed`);
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
