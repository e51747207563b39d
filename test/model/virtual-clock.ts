/** Virtual time for the engine, and a choice wherever several timers are due at the same instant. */
import type { Clock } from '../../lib/core/index.js';
import { settle } from '../support/test-clock.js';
import { BIRTH } from './instants.js';

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** Picks one of so many, and whether all reactions run before the next thing happens at this instant. */
export interface Order {
  pick(count: number): number;
  isSettled(): boolean;
}

/** First come, first served, one after the other. */
export const IN_ORDER: Order = { pick: () => 0, isSettled: () => true };

/** An order out of random numbers; when they are used up, first come, first served. */
export function orderOf(choices: readonly number[]): Order {
  if (choices.length === 0) return IN_ORDER;
  let next = 0;
  return {
    pick: (count) => (choices[next++] ?? 0) % count,
    isSettled: () => (choices[next++] ?? 0) % 2 === 0,
  };
}

export class VirtualClock implements Clock {
  private monotonic = BIRTH.monotonic;
  private epoch = BIRTH.wall;
  private readonly timers = new Set<Timer>();

  constructor(private readonly order: Order) {}

  now(): number {
    return this.monotonic;
  }

  wall(): number {
    return this.epoch;
  }

  setTimer(fn: () => void, delay: number) {
    const timer = { at: this.monotonic + delay, fn };
    this.timers.add(timer);
    return { clear: () => void this.timers.delete(timer), ref: () => {}, unref: () => {} };
  }

  /** The wall clock alone. */
  jump(ms: number): void {
    this.epoch += ms;
  }

  /** What `give` gives or throws so many ms from now, in the very turn of its timer. */
  after(ms: number, give: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settleNow = (): void => {
        try {
          resolve(give());
        } catch (error) {
          reject(error);
        }
      };
      this.setTimer(settleNow, ms);
    });
  }

  async advanceTo(end: number): Promise<void> {
    for (;;) {
      let timer = this.next(this.monotonic);
      if (timer === undefined) {
        // Before time moves on, everything has reacted.
        await settle();
        timer = this.next(end);
        if (timer === undefined) break;
        this.moveTo(timer.at);
      }
      this.timers.delete(timer);
      timer.fn();
      if (this.order.isSettled()) await settle();
    }
    this.moveTo(end);
  }

  /** One of the earliest that are due by then. */
  private next(end: number): Timer | undefined {
    let ready: Timer[] = [];
    for (const timer of this.timers) {
      if (timer.at > end || (ready.length > 0 && timer.at > ready[0]!.at)) continue;
      if (ready.length > 0 && timer.at === ready[0]!.at) ready.push(timer);
      else ready = [timer];
    }
    return ready.length > 1 ? ready[this.order.pick(ready.length)] : ready[0];
  }

  private moveTo(instant: number): void {
    this.epoch += Math.max(0, instant - this.monotonic);
    this.monotonic = Math.max(this.monotonic, instant);
  }
}
