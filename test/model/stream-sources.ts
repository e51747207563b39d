/** What candidates of streams give on the engine's side: one script in every form that a stream may have. */
import { Observable } from 'rxjs';
import { delayOf } from './program.js';
import type { Play, Script } from './program.js';
import type { Times } from './instants.js';
import type { VirtualClock } from './virtual-clock.js';

/** A script as it is played for one attempt. */
export interface Part {
  readonly script: Script;
  readonly place: number;
  readonly end: Play;
  readonly clock: VirtualClock;
  readonly times: Times;
  /** fails as soon as it aborts */
  readonly signal: AbortSignal | undefined;
  element(index: number): unknown;
  error(): unknown;
  note(what: StreamNote): void;
}

/** What happens to a stream; it is over when it has ended by itself. */
export type StreamNote = 'opened' | 'pulled' | 'closed' | 'over';

export function sourceOf(part: Part): unknown {
  return MAKERS[part.script.form as keyof typeof MAKERS]?.(part) ?? null;
}

type Next = { readonly done: false; readonly value: unknown } | { readonly done: true; readonly value: undefined };

/** Reads a script step by step; notes when it is opened, and when it is closed before it has ended by itself. */
class Reading {
  private index = 0;
  private isOver = false;

  constructor(readonly part: Part) {}

  /** Undefined where nothing ever comes. */
  next(): { readonly delay: number; give(): Next } | undefined {
    const { script, place, end, times } = this.part;
    if (this.index === 0) this.part.note('opened');
    if (script.form !== 'observable') this.part.note('pulled');
    const index = this.index++;
    const play = script.emits[index] ?? end;
    if (play === end && end.does === 'never') return undefined;
    return { delay: times.answer(place, delayOf(script, play)), give: () => this.give(index) };
  }

  close(): void {
    if (this.index > 0 && !this.isOver) this.part.note('closed');
    this.isOver = true;
  }

  private give(index: number): Next {
    const { script, end } = this.part;
    if (index < script.emits.length) return { done: false, value: this.part.element(index) };
    this.isOver = true;
    this.part.note('over');
    if (end.does !== 'ok') throw this.part.error() as Error;
    return { done: true, value: undefined };
  }

  /** In its time. */
  async wait(): Promise<Next> {
    const step = this.next();
    const { clock, signal } = this.part;
    if (step === undefined) return (await cutOff(new Promise(() => {}), signal)) as Next;
    if (step.delay === 0) return step.give();
    return (await cutOff(
      clock.after(step.delay, () => step.give()),
      signal,
    )) as Next;
  }

  /** With no time at all. */
  now(): Next {
    return this.next()!.give();
  }
}

/** Work that fails at once when its signal aborts. */
export function cutOff(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return work;
  const aborted = new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  return Promise.race([work, aborted]);
}

const MAKERS = {
  generator(part: Part): AsyncGenerator {
    const reading = new Reading(part);
    const generator = (async function* () {
      for (let next = await reading.wait(); !next.done; next = await reading.wait()) yield next.value;
    })();
    // A generator that waits is closed when it is told so, whenever it hears it.
    const close = generator.return.bind(generator);
    return Object.assign(generator, {
      return: (value: unknown) => {
        reading.close();
        return close(value as never);
      },
    });
  },

  iterator(part: Part): AsyncIterator<unknown> {
    const reading = new Reading(part);
    return {
      next: () => reading.wait(),
      return: async () => {
        reading.close();
        return { done: true, value: undefined };
      },
    };
  },

  iterable(part: Part): Iterable<unknown> {
    return {
      [Symbol.iterator]: () => {
        const reading = new Reading(part);
        return {
          next: () => reading.now(),
          return: () => {
            reading.close();
            return { done: true, value: undefined };
          },
        };
      },
    };
  },

  observable(part: Part): Observable<unknown> {
    return new Observable((subscriber) => {
      const reading = new Reading(part);
      const goOn = (): void => {
        if (subscriber.closed) return;
        const step = reading.next();
        if (step === undefined) return;
        const tell = (): void => {
          if (subscriber.closed) return;
          try {
            const next = step.give();
            if (next.done) return subscriber.complete();
            subscriber.next(next.value);
          } catch (error) {
            return subscriber.error(error);
          }
          goOn();
        };
        if (step.delay === 0) tell();
        else part.clock.setTimer(tell, step.delay);
      };
      // What is unsubscribed while it subscribes is torn down as soon as it can be.
      subscriber.add(() => reading.close());
      part.signal?.addEventListener('abort', () => subscriber.error(part.signal!.reason));
      goOn();
    });
  },

  readable(part: Part): ReadableStream<unknown> {
    const reading = new Reading(part);
    return new ReadableStream(
      {
        async pull(controller) {
          try {
            const next = await reading.wait();
            if (next.done) controller.close();
            else controller.enqueue(next.value);
          } catch (error) {
            controller.error(error);
          }
        },
        cancel: () => reading.close(),
      },
      { highWaterMark: 0 },
    );
  },
};
