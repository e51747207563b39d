import type { Clock } from '../types.js';

/** @internal */
export type Timer = ReturnType<Clock['setTimer']>;

/** Acts later, if the process is still there then. @internal */
export function after(clock: Clock, delay: number, act: () => void): Timer {
  const timer = clock.setTimer(act, delay);
  timer.unref();
  return timer;
}

/** Waits for some work, so many ms at most, and keeps the process alive meanwhile. @internal */
export async function within(clock: Clock, time: number, work: Promise<unknown>): Promise<void> {
  let timer: Timer | undefined;
  const isOver = new Promise<void>((resolve) => {
    timer = clock.setTimer(resolve, time);
  });
  await Promise.race([work, isOver]);
  timer!.clear();
}
