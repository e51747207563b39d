/** Stream sources that play scripts on the test clock, in the forms that a candidate's stream may have. */
import { Readable } from 'node:stream';
import { Observable } from 'rxjs';
import type { AttemptContext } from '../../lib/index.js';
import type { TestClock } from './test-clock.js';

class Wait {
  constructor(readonly ms: number) {}
}

class Fail {
  constructor(readonly error: unknown) {}
}

/** Silence, virtual ms. */
export const wait = (ms: number): unknown => new Wait(ms);
/** The source fails here. */
export const fail = (error: unknown): unknown => new Fail(error);
/** Silence for ever, deaf to any signal. */
export const stall: unknown = new Wait(Infinity);

/** For the body of a generator that has nothing else to give. */
export const failing = (error: unknown): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({
    async next() {
      throw error;
    },
  }),
});

/** What a source does in order: elements, and the words above. At its end it completes. */
export type Script = readonly unknown[];

/** How a script is given out. `iterable` is deaf: it goes on with what it was doing when it was closed. */
export type Form = 'iterable' | 'iterator' | 'generator' | 'observable' | 'web' | 'readable';
export const FORMS: readonly Form[] = ['iterable', 'iterator', 'generator', 'observable', 'web', 'readable'];

/** What a candidate does: one script for every call, scripts in turn (the last repeated), or anything at all. */
export type Plays = Script | InTurn | ((ctx: AttemptContext) => unknown);

class InTurn {
  constructor(readonly scripts: readonly Script[]) {}
}

/** A script per call, the last repeated. */
export const inTurn = (...scripts: readonly Script[]): Plays => new InTurn(scripts);

/** Where sources play, and what was seen of them. */
export class Stage {
  /** `a opened` at the first sign of a reader, `a closed` once at its end, of itself or by its reader */
  readonly log: string[] = [];
  /** how often each candidate ran */
  readonly calls: Record<string, number> = {};
  /** how often `next()` of each was called; not for what is pushed */
  readonly pulls: Record<string, number> = {};
  readonly contexts: Record<string, AttemptContext> = {};

  constructor(readonly clock: TestClock) {}

  /** Runs a candidate. */
  run(name: string, plays: Plays, form: Form, ctx: AttemptContext): unknown {
    const nth = this.calls[name] ?? 0;
    this.calls[name] = nth + 1;
    this.contexts[name] = ctx;
    if (typeof plays === 'function') return plays(ctx);
    const scripts = plays instanceof InTurn ? plays.scripts : [plays];
    return this.source(name, scripts[Math.min(nth, scripts.length - 1)]!, form);
  }

  source(name: string, script: Script, form: Form): unknown {
    const reading = new Reading(this, name, script);
    if (form === 'generator') return generatorOf(reading);
    if (form === 'observable') return observableOf(this, name, script);
    if (form === 'web') return webStreamOf(reading);
    if (form === 'readable') return readableOf(reading);
    if (form === 'iterator') return iteratorOf(reading);
    return { [Symbol.asyncIterator]: () => iteratorOf(reading) };
  }
}

/** One source under way. */
class Reading {
  private place = 0;
  private isOpen = false;
  isOver = false;

  constructor(
    readonly stage: Stage,
    readonly name: string,
    private readonly script: Script,
  ) {}

  open(): void {
    if (!this.isOpen) this.stage.log.push(`${this.name} opened`);
    this.isOpen = true;
  }

  /** Written down every time that it is called: twice is a fault of the reader. */
  close(): void {
    this.stage.log.push(`${this.name} closed`);
    this.isOver = true;
  }

  /** The next word that is no silence; undefined at the end. */
  async advance(): Promise<{ element: unknown } | undefined> {
    this.open();
    for (;;) {
      const word = this.script[this.place++];
      if (this.place > this.script.length) return this.end();
      if (word instanceof Wait) await this.stage.clock.sleep(word.ms);
      else if (!(word instanceof Fail)) return { element: word };
      else {
        this.end();
        throw word.error;
      }
    }
  }

  /** Its own end is written down like any other, unless its reader was first. */
  private end(): undefined {
    if (!this.isOver) this.close();
    return undefined;
  }
}

function iteratorOf(reading: Reading): AsyncIterator<unknown> {
  const { stage, name } = reading;
  return {
    async next() {
      stage.pulls[name] = (stage.pulls[name] ?? 0) + 1;
      const word = await reading.advance();
      return word === undefined ? { value: undefined, done: true } : { value: word.element, done: false };
    },
    async return() {
      reading.close();
      return { value: undefined, done: true };
    },
  };
}

async function* generatorOf(reading: Reading): AsyncGenerator {
  try {
    for (;;) {
      const word = await reading.advance();
      if (word === undefined) return;
      yield word.element;
    }
  } finally {
    if (!reading.isOver) reading.close();
  }
}

function observableOf(stage: Stage, name: string, script: Script): Observable<unknown> {
  return new Observable((subscriber) => {
    stage.log.push(`${name} opened`);
    const play = (from: number): void => {
      for (let place = from; place < script.length; place++) {
        const word = script[place];
        if (word instanceof Wait) return void stage.clock.setTimer(() => play(place + 1), word.ms);
        if (word instanceof Fail) return subscriber.error(word.error);
        subscriber.next(word);
      }
      subscriber.complete();
    };
    play(0);
    return () => void stage.log.push(`${name} closed`);
  });
}

function webStreamOf(reading: Reading): ReadableStream {
  return new ReadableStream(
    {
      async pull(controller) {
        const word = await reading.advance();
        if (word === undefined) controller.close();
        else controller.enqueue(word.element);
      },
      cancel: () => reading.close(),
    },
    { highWaterMark: 0 },
  );
}

function readableOf(reading: Reading): Readable {
  const readable: Readable = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      void reading.advance().then(
        (word) => readable.push(word === undefined ? null : word.element),
        (error: unknown) => readable.destroy(error as Error),
      );
    },
    destroy(error, done) {
      if (!reading.isOver) reading.close();
      done(error);
    },
  });
  return readable;
}
