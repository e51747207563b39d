import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 15_000;
const PAUSE = 10;

/** Resolves when it is so. @param what for the error if that takes too long */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It did not come about within ${PATIENCE} ms that ${what}`);
    await sleep(PAUSE);
  }
}
