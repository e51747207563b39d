/** Plays a program on the engine. */
import { setImmediate } from 'node:timers';
import { Call } from '../../lib/core/call.js';
import type { CallInputs } from '../../lib/core/call.js';
import { controlCandidate, healthOf, resetHealth } from '../../lib/core/candidate-health.js';
import { compileChain } from '../../lib/core/compile.js';
import { Engine } from '../../lib/core/engine.js';
import type { ChainPlan } from '../../lib/core/plan.js';
import type { FallbackEvent, Receipt } from '../../lib/core/types.js';
import type { Consumer } from '../../lib/core/stream/sink.js';
import { StreamCall } from '../../lib/core/stream/stream-call.js';
import { walk } from '../../lib/core/walk.js';
import { subscribe } from '../../lib/streaming/subscribe.js';
import { settle } from '../support/test-clock.js';
import { specOf } from './chain.js';
import type { Host } from './chain.js';
import type { Times } from './instants.js';
import { noteOf } from './log.js';
import { NotedShelf } from './noted-shelf.js';
import type { Entry, Played } from './log.js';
import { reasonOf } from './program.js';
import type { Program, Step } from './program.js';
import { Props } from './props.js';
import type { Look, Seen } from './seen.js';
import { READ } from './stream-faces.js';
import type { Face } from './stream-faces.js';
import type { Reader } from './stream-readers.js';
import type { StreamNote } from './stream-sources.js';
import { elementTold, endTold } from './stream-told.js';
import type { Ending, StreamEnding } from './spec/call.js';
import { answerTold, errorTold, healthTold, storedIn, storedTold } from './told.js';
import { IN_ORDER, VirtualClock } from './virtual-clock.js';
import type { Order } from './virtual-clock.js';

const KINDS = { generator: 'async-iterable', observable: 'observable', events: 'observable' } as const;

const CHANGES: readonly FallbackEvent['name'][] = [
  'circuit.opened',
  'circuit.reset',
  'circuit.isolated',
  'circuit.restored',
];

/** A call, while it runs and when it has ended. */
interface Running {
  readonly caller: AbortController;
  receipt: Receipt | undefined;
  /** of a stream */
  reader: Reader | undefined;
  /** once it has ended */
  seen: (() => { endedAt: number; ending: Partial<Ending> | StreamEnding }) | null;
}

export class EngineSide {
  private readonly clock: VirtualClock;
  private readonly props = new Props();
  private readonly log: Entry[] = [];
  private readonly events: FallbackEvent[] = [];
  private readonly calls: Running[] = [];
  private readonly shelf = new NotedShelf((kept) => this.log.push({ what: 'stored', thing: storedIn(kept) }));
  private readonly plan: ChainPlan;
  private readonly isEverAborted: boolean;

  constructor(
    private readonly program: Program,
    private readonly times: Times,
    private readonly order: Order = IN_ORDER,
    private readonly face: Face = 'generator',
    private readonly pace = 0,
  ) {
    const { props, log } = this;
    const clock = (this.clock = new VirtualClock(order));
    const stage = {
      clock,
      times,
      props,
      shelf: this.shelf,
      invoked: (call: number, place: number) => {
        const { state } = healthOf(this.plan)[place]!;
        log.push({ what: 'invoked', call, place, at: clock.now(), state });
      },
      settling: (call: number, place: number) => this.watchLate(call, place),
      noted: (call: number, place: number, what: StreamNote, signal?: AbortSignal) =>
        log.push({ what, call, place, at: clock.now(), signal }),
    };
    const observers = program.isWatched ? [(event: FallbackEvent) => this.hear(event)] : [];
    const kind = program.stream === undefined ? null : KINDS[face];
    this.plan = compileChain(specOf(program, stage), new Engine({ clock, observers, subscribe }), {}, undefined, kind);
    this.isEverAborted = program.steps.some((step) => step.do === 'abort');
  }

  /** @param instants of the steps; without them each comes as soon as the one before has been done */
  async play(instants?: readonly number[]): Promise<Played> {
    const { program, clock, log, events } = this;
    const looks: Look[] = [];
    for (const [place, step] of program.steps.entries()) {
      await clock.advanceTo(instants?.[place] ?? clock.now() + (step.do === 'advance' ? step.ms : 0));
      this.perform(step);
      if (this.order.isSettled()) await settle();
      looks.push(this.look());
    }
    // Who pauses reads to the end.
    if (this.pace > 0) await clock.advanceTo(clock.now() + 20 * this.pace);
    await settle();
    const invoked = log.flatMap(noteOf);
    const ends = this.calls.map(({ seen }) => (seen === null ? null : seen()));
    const [calls, streams] = program.stream === undefined ? [ends, []] : [[], ends];
    return { program, seen: { invoked, calls, streams, looks } as Seen, log, events };
  }

  private hear(event: FallbackEvent): void {
    this.events.push(event);
    const { name, candidate } = event;
    const { candidates } = this.plan;
    if (name === 'stream.committed') {
      const place = candidates.findIndex((one) => one.name === candidate);
      this.log.push({ what: 'committed', place, at: this.clock.now() });
    }
    if (!CHANGES.includes(name)) return;
    for (const { name: own, index: place } of candidates) {
      if (candidate === undefined || candidate === own) this.log.push({ what: 'changed', place });
    }
  }

  private perform(step: Step): void {
    const { candidates } = this.plan;
    switch (step.do) {
      case 'call':
        return this.begin(step);
      case 'abort':
        return this.abort(this.calls.length - 1 - step.back);
      case 'leave': {
        const number = this.calls.length - 1 - step.back;
        const running = this.calls[number];
        if (running === undefined || running.seen !== null) return;
        this.log.push({ what: 'aborted', call: number });
        return running.reader?.leave();
      }
      case 'jump':
        return this.clock.jump(step.ms);
      case 'isolate':
      case 'restore':
        return controlCandidate(this.plan, candidates[step.place % candidates.length]!, step.do);
      case 'reset':
        return resetHealth(this.plan);
      case 'advance':
    }
  }

  private begin(step: Step & { do: 'call' }): void {
    const { props, clock, program, log } = this;
    const number = this.calls.length;
    const running: Running = { caller: new AbortController(), receipt: undefined, reader: undefined, seen: null };
    this.calls.push(running);
    const { deadline = Infinity, reserve = 0 } = program;
    log.push({ what: 'began', call: number, cutAt: clock.now() + this.times.deadline(deadline) - reserve });
    if (step.isAborted) this.abort(number);
    const host: Host = { number, step };
    const inputs = this.inputs(running, number, step.isAborted);
    const end = (tell: () => Partial<Ending> | StreamEnding, elements?: readonly string[]): void => {
      const endedAt = clock.now();
      // A second end would be seen as the only one.
      running.seen = () => ({ endedAt, ...(elements && { elements }), ending: tell() });
      // One that never begins has no end of its own.
      if (step.takes !== 0) log.push({ what: 'ended', call: number });
    };
    const mark = program.substitutes?.mark;
    if (program.stream !== undefined) {
      const elements: string[] = [];
      const open = (consumer: Consumer) => new StreamCall(this.plan, host, [step.question], inputs, consumer);
      running.reader = READ[this.face](open, step.takes, {
        element: (element) => {
          const thing = elementTold(element, number, mark, props);
          elements.push(`${thing} at ${clock.now()}`);
          log.push({ what: 'element', call: number, thing });
        },
        asked: () => log.push({ what: 'asked', call: number }),
        pause: () => (this.pace === 0 ? undefined : clock.after(this.pace, () => undefined)),
        end: (how) => end(() => endTold(how, running.receipt, props), elements),
      });
      return;
    }
    walk(new Call(this.plan, host, [step.question], inputs)).then(
      (given) => end(told(answerTold(given, running.receipt, mark, props))),
      (error: unknown) => end(told(errorTold(error, running.receipt, props))),
    );
  }

  private abort(call: number): void {
    const running = this.calls[call];
    if (running === undefined || running.caller.signal.aborted) return;
    this.log.push({ what: 'aborted', call });
    running.caller.abort(this.props.reason(reasonOf(call)));
  }

  /** As little as the program needs: what a call is not given takes other ways through the engine. */
  private inputs(running: Running, call: number, isAborted: boolean): CallInputs {
    const { clock, log, program } = this;
    return {
      ...((this.isEverAborted || isAborted) && { signal: running.caller.signal }),
      ...(program.isWatched && {
        scope: {
          group: null,
          ended: null,
          within: (part) => part(),
          collect: (receipt) => (running.receipt = receipt),
        },
        onAttempt: ({ index: place, kind }) => log.push({ what: 'settled', call, place, at: clock.now(), kind }),
      }),
    };
  }

  /** Compares all that can be seen before and after an attempt settles that has been given up. */
  private watchLate(call: number, place: number): void {
    const isOver = this.log.some((entry) => entry.what === 'settled' && entry.call === call && entry.place === place);
    if (!isOver || this.order !== IN_ORDER) return;
    const before = JSON.stringify(this.look(), withoutLate);
    setImmediate(() => {
      const isInert = before === JSON.stringify(this.look(), withoutLate);
      this.log.push({ what: 'late', call, place, isInert });
    });
  }

  private look(): Look {
    return {
      health: healthOf(this.plan).map((health) => healthTold(health, this.clock.wall())),
      store: this.shelf
        .all()
        .map((entry) => storedTold(entry, this.props))
        .sort(),
    };
  }
}

const told = (ending: Partial<Ending>) => (): Partial<Ending> => ending;

/** The last known good and the count of late answers are what an attempt that was given up may still change. */
const withoutLate = (key: string, value: unknown): unknown =>
  key === 'store' || key === 'late' || key === 'paid-late' ? undefined : value;
