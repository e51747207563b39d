/** Rejections that nobody handles while a part runs, and a little after. */
import { settle } from './test-clock.js';

export async function unhandledDuring(part: () => unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  process.on('unhandledRejection', note);
  try {
    await part();
    await settle();
    await settle();
  } finally {
    process.off('unhandledRejection', note);
  }
  return seen;
}
