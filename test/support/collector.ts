import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { settle } from './test-clock.js';

/** A full collection, where this process can be made to do one; else says what is not checked, and gives nothing. */
export function collector(unchecked: string): (() => Promise<void>) | undefined {
  try {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    if (typeof gc === 'function') return () => collectAll(gc as () => void);
  } catch {
    // told below
  }
  process.stdout.write(`${unchecked}: this process cannot collect garbage on demand\n`);
  return undefined;
}

/** What a WeakRef has given in a turn stays alive until its end. */
async function collectAll(gc: () => void): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await settle();
    gc();
  }
  await settle();
}
