import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when it holds; the test's own timeout is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5);
}
