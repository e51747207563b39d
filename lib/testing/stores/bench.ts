/** A store under test, as two processes have it: two handles of one truth, or one that both use. */
import { setTimeout as pause } from 'node:timers/promises';
import { ignore } from '../../core/thenable.js';
import { within } from '../probe.js';
import type { StoreCheckOptions, StoreReport } from './report.js';
import { Trouble, play } from './rules.js';
import type { Rule } from './rules.js';

/** A store, or how a process comes by a handle of it. @publicApi */
export type StoreOrMake<Store> = Store | (() => Store | PromiseLike<Store>);

/** Timers may fire, and clocks be read, a little early. */
const MARGIN = 10;
const PAUSE = 60;
const PATIENCE = 2_000;

/** How many ask at once. @internal */
export const CROWD = 20;

/** @internal */
export abstract class Bench<Store extends object> {
  readonly pause: number;
  readonly patience: number;
  private readonly wait: (ms: number) => unknown;
  private readonly suffix = Math.random().toString(36).slice(2, 10);
  private keys = 0;
  private turn = 0;

  constructor(
    /** the second is another process; the same one if there is only one */
    public handles: readonly [Store, Store],
    { wait = pause, pause: short = PAUSE, patience = PATIENCE }: StoreCheckOptions,
  ) {
    this.wait = wait;
    this.pause = short;
    this.patience = patience;
  }

  /** Leaves nothing behind, as far as the store lets us. */
  abstract cleanUp(): Promise<void>;

  /** The processes take turns. */
  next(): Store {
    return this.handles[this.turn++ % 2]!;
  }

  /** A key that nobody else uses. */
  key(about: string): string {
    return `check/${about} (${this.suffix}:${++this.keys})`;
  }

  /** By the store's clock, and a little more. */
  async pass(ms: number): Promise<void> {
    await this.wait(ms + MARGIN);
  }

  /** What an operation gives, which it does in time. */
  async ask<T>(operation: string, work: () => PromiseLike<T> | T): Promise<T> {
    let answer: { value: T } | undefined;
    try {
      answer = await within(this.patience, work());
    } catch (error) {
      throw new Trouble('rejects', `${operation} fails with ${String(error)}: let it settle with an answer`);
    }
    if (answer !== undefined) return answer.value;
    throw new Trouble('silent', `${operation} does not settle within ${this.patience} ms: let every operation end`);
  }
}

/** Plays rules on a bench, and clears it afterwards. @internal */
export async function playOn<Code extends string, On extends Bench<object>>(
  bench: On,
  rules: Readonly<Record<Code, Rule<On>>>,
): Promise<StoreReport<Code>> {
  // Rules may exchange the handles.
  const store = nameOfStore(bench.handles[0]);
  try {
    return { store, ...(await play(bench, rules)) };
  } finally {
    // What is wrong with it has been found.
    await bench.cleanUp().catch(ignore);
  }
}

/** The class says it, if there is one and it has a name. */
function nameOfStore({ constructor }: object): string {
  const name = typeof constructor === 'function' && constructor !== Object ? constructor.name : '';
  return name || 'The store';
}

/** Two handles, if there is a way to make them. @internal */
export async function handlesOf<Store extends object>(given: StoreOrMake<Store>): Promise<[Store, Store]> {
  return typeof given === 'function' ? [await given(), await given()] : [given, given];
}
