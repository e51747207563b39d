/**
 * One timer per distinct timeout, not per call. Everything that waits equally long stands in one first-in-first-out
 * list, so the head is always the next one due. The timer keeps the process alive only while something waits, and in the
 * background never; when it fires on an empty list it is gone.
 */
import { shared } from './shared.js';
import type { Clock } from './types.js';

/**
 * A timer that is so late, ms, comes after a pause of the whole process, and timers come before what has arrived meanwhile:
 * whoever waits for an answer from outside has as long again to read it.
 * @internal
 */
export const PAUSE = 20;

/** Something that can run out of time: a node of the list it waits in. @internal */
export abstract class Timed {
  due = 0;
  list: TimerList | null = null;
  previous: Timed | null = null;
  next: Timed | null = null;
  private ownTimer: ReturnType<Clock['setTimer']> | null = null;

  /** Called once when the time is over. It may only note the fact: it runs in the timer's context, not in the call's. */
  abstract expire(): void;

  /** Waits `delay` ms on a timer of its own, where the delay was not known beforehand and so has no list. */
  startOwnTimer(clock: Clock, delay: number): void {
    if (delay === Infinity) return;
    const end = clock.now() + delay;
    const fire = (): void => {
      const left = end - clock.now();
      if (left > 0) this.ownTimer = clock.setTimer(fire, left);
      else this.expire();
    };
    this.ownTimer = clock.setTimer(fire, delay);
  }

  stopTimer(): void {
    if (this.list !== null) this.list.remove(this);
    this.ownTimer?.clear();
    this.ownTimer = null;
  }
}

/** @internal */
export class TimerList {
  /** the next one due, in a ring: before it stands the last */
  private head: Timed | null = null;
  private timer: ReturnType<Clock['setTimer']> | null = null;
  private firesAt = 0;

  constructor(
    private readonly clock: Clock,
    readonly delay: number,
    private readonly kind: 'call' | 'background' = 'call',
  ) {}

  add(node: Timed, now: number): void {
    node.due = now + this.delay;
    node.list = this;
    const { head } = this;
    if (head === null) {
      this.head = node.previous = node.next = node;
      this.keepAwake(now);
    } else {
      const last = head.previous!;
      node.previous = last;
      node.next = head;
      last.next = head.previous = node;
    }
  }

  remove(node: Timed): void {
    const { previous, next } = node;
    if (next === node) {
      this.head = null;
      this.timer?.unref();
    } else {
      previous!.next = next;
      next!.previous = previous;
      if (this.head === node) this.head = next;
    }
    node.list = node.previous = node.next = null;
  }

  /** Lets go of all that waits. */
  clear(): void {
    while (this.head !== null) this.remove(this.head);
    this.timer?.clear();
    this.timer = null;
  }

  /** Gives its timer back, if nothing waits. */
  rest(): void {
    if (this.head !== null) return;
    this.timer?.clear();
    this.timer = null;
  }

  private keepAwake(now: number): void {
    // A timer that is not due within one delay was set by a clock that has been exchanged since (fake timers, say).
    const usable = this.timer !== null && this.firesAt > now && this.firesAt <= now + this.delay;
    if (!usable) this.arm(this.delay, now);
    else if (this.kind === 'call') this.timer!.ref();
  }

  // Not until when: what `now + delay - now` gives may be more than the delay, and a timer rounds that up.
  private arm(delay: number, now: number): void {
    this.timer?.clear();
    this.firesAt = now + delay;
    this.timer = this.clock.setTimer(this.fire, delay);
    if (this.kind === 'background') this.timer.unref();
  }

  private readonly fire = (): void => {
    this.timer = null;
    const now = this.clock.now();
    for (let node = this.head; node !== null && node.due <= now; node = this.head) {
      this.remove(node);
      node.expire();
    }
    if (this.head !== null) this.arm(this.head.due - now, now);
  };
}

/** The timer lists of one clock, by delay. Held weakly: a list is kept by the plans that use it and by its own timer. */
class TimerLists {
  private readonly lists = new Map<number, WeakRef<TimerList>>();
  private readonly forgotten = new FinalizationRegistry<number>((delay) => {
    if (this.lists.get(delay)?.deref() === undefined) this.lists.delete(delay);
  });

  constructor(private readonly clock: Clock) {}

  /** The list of everything that waits `delay` ms; null when that is for ever. */
  for(delay: number): TimerList | null {
    if (delay === Infinity) return null;
    let list = this.lists.get(delay)?.deref();
    if (list === undefined) {
      list = new TimerList(this.clock, delay);
      this.lists.set(delay, new WeakRef(list));
      this.forgotten.register(list, delay);
    }
    return list;
  }

  /** Gives back the timers of all lists in which nothing waits. */
  rest(): void {
    for (const list of this.lists.values()) list.deref()?.rest();
  }
}

/** @internal */
export type Timers = Pick<TimerLists, 'for' | 'rest'>;

const timers = shared('timers', () => new WeakMap<Clock, TimerLists>());

/** The timer lists of a clock: one set for all engines that run by it. @internal */
export function timersOf(clock: Clock): Timers {
  let lists = timers.get(clock);
  if (lists === undefined) timers.set(clock, (lists = new TimerLists(clock)));
  return lists;
}
