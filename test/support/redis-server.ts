/** Tests with real Redis servers: of whoever has the binary, and of the run that must have it. */
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { BINARY, closeServers, isInstalled } from './redis-process.js';

export { RedisServer, startRedis } from './redis-process.js';

/** A group of tests with real Redis. Its servers end with it, whatever became of its tests. */
export function describeWithRedis(title: string, body: () => void): void {
  const group = isInstalled || process.env.CI === 'true' ? describe : describe.skip;
  if (!isInstalled) process.stdout.write(`${title}: not run, ${BINARY} is not installed\n`);
  group(title, () => {
    beforeAll(() => expect({ [BINARY]: isInstalled ? 'installed' : 'missing' }).toEqual({ [BINARY]: 'installed' }));
    body();
    afterAll(() => closeServers());
  });
}
