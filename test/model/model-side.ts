/** Plays a program on the specification, over virtual time. */
import type { HealthSeen, Look, CallSeen, Seen, StreamSeen } from './seen.js';
import { BIRTH, justBefore, slotOf } from './instants.js';
import type { Boundary, Program, Step } from './program.js';
import { GRACE, isolate, reset, restore, state } from './spec/circuit.js';
import { Call } from './spec/call.js';
import type { CallOfProgram, Ending, Wait, Waiting, Woken } from './spec/call.js';
import { walkStream } from './spec/stream.js';
import { StreamCall } from './spec/stream-call.js';
import type { Face } from './stream-faces.js';
import { walk } from './spec/walk.js';
import { BLANK, Tie, memoriesOf } from './spec/world.js';
import type { Memory, World } from './spec/world.js';

interface Running {
  readonly call: CallOfProgram;
  readonly stream: StreamCall | null;
  readonly steps: Waiting<Ending>;
  pending: Due | null;
}

interface Due {
  readonly at: number;
  readonly happens: () => void;
}

export class ModelSide {
  /** the instant of each step so far: the engine is played by the same */
  readonly instants: number[] = [];
  private readonly due = new Set<Due>();
  private readonly calls: Running[] = [];
  private readonly ends: (CallSeen | StreamSeen | null)[] = [];
  private readonly looks: Look[] = [];
  private readonly world: World;

  /** @param face by which streams are read */
  constructor(
    private readonly program: Program,
    private readonly face: Face = 'generator',
  ) {
    this.world = {
      program,
      now: BIRTH.monotonic,
      wall: BIRTH.wall,
      memories: memoriesOf(program),
      store: new Map(),
      invoked: [],
      later: (at, happens) => void this.due.add({ at, happens }),
    };
  }

  play(): Seen {
    for (const step of this.program.steps) {
      const instant = this.instantOf(step);
      this.instants.push(instant);
      this.advance(instant);
      this.perform(step);
      this.looks.push(this.look());
    }
    const [calls, streams] = this.program.stream === undefined ? [this.ends, []] : [[], this.ends];
    return { invoked: this.world.invoked, calls, streams, looks: this.looks } as Seen;
  }

  private instantOf(step: Step): number {
    const { now } = this.world;
    if (step.do === 'advance') return now + step.ms;
    if (step.do !== 'call') return now;
    const boundary = step.at === undefined ? undefined : this.boundary(step.at, step.question);
    return boundary !== undefined && boundary > now ? boundary : slotOf(now, this.calls.length);
  }

  private boundary({ of, place, isEarly }: Boundary, question: number): number | undefined {
    const { now, wall, store, memories } = this.world;
    const { circuit } = memories[place % memories.length]!;
    const stored = store.get(question);
    const { lastKnownGood } = this.program.substitutes ?? {};
    const instant = {
      reopening: () => circuit.openUntil,
      lease: () => circuit.probeUntil,
      grace: () => circuit.succeededAt + GRACE,
      age: () => stored && now + stored.storedAt + (lastKnownGood?.maxAge ?? 0) - wall,
      refresh: () => stored && stored.writtenAt + (lastKnownGood?.refreshAfter ?? 1_000),
    }[of]();
    return instant == null ? undefined : isEarly ? justBefore(instant) : instant;
  }

  private advance(end: number): void {
    for (let next = this.next(); next !== undefined && next.at <= end; next = this.next()) {
      for (const other of this.due) if (other !== next && other.at === next.at) throw new Tie();
      this.due.delete(next);
      this.moveTo(next.at);
      next.happens();
    }
    this.moveTo(end);
  }

  private next(): Due | undefined {
    let first: Due | undefined;
    for (const each of this.due) if (first === undefined || each.at < first.at) first = each;
    return first;
  }

  private moveTo(instant: number): void {
    this.world.wall += instant - this.world.now;
    this.world.now = instant;
  }

  private perform(step: Step): void {
    const { world, calls } = this;
    switch (step.do) {
      case 'call': {
        const running = this.begin(step);
        calls.push(running);
        this.ends.push(null);
        if (step.takes !== 0) return this.goOn(running, running.steps.next());
        // It never begins, so nothing runs.
        this.ends[running.call.number] = { endedAt: world.now, ending: { left: true }, elements: [] };
        return;
      }
      case 'abort':
      case 'leave': {
        const running = calls.at(-1 - step.back);
        if (running === undefined || running.pending === null) return;
        if (step.do === 'leave') running.stream!.hasLeft = true;
        running.call.isCancelled = true;
        return this.wake(running, 'cancelled');
      }
      case 'jump':
        world.wall += step.ms;
        return;
      case 'isolate':
      case 'restore': {
        const memory = world.memories[step.place % world.memories.length]!;
        memory.circuit = (step.do === 'isolate' ? isolate : restore)(memory.circuit, world.now);
        return;
      }
      case 'reset':
        for (const memory of world.memories) Object.assign(memory, BLANK, { circuit: reset(memory.circuit) });
        return;
      case 'advance':
    }
  }

  private begin(step: Step & { do: 'call' }): Running {
    const { world, program, calls } = this;
    const { question, plays, isSwitchedOff, isAborted: isCancelled } = step;
    const call = { number: calls.length, question, plays, isSwitchedOff, startedAt: world.now, isCancelled };
    if (program.stream === undefined) return { call, stream: null, steps: walk(new Call(world, call)), pending: null };
    const stream = new StreamCall(world, call, step, this.face);
    return { call, stream, steps: walkStream(stream), pending: null };
  }

  private wake(running: Running, woken: Woken): void {
    this.due.delete(running.pending!);
    running.pending = null;
    this.goOn(running, running.steps.next(woken));
  }

  private goOn(running: Running, result: IteratorResult<Wait, Ending>): void {
    const { now } = this.world;
    if (result.done === true) {
      const { attempts, ...ending } = result.value;
      const told = { ...ending, attempts: [...attempts] } as Ending;
      const { stream } = running;
      this.ends[running.call.number] = { endedAt: now, ...(stream === null ? { ending: told } : stream.told(told)) };
      return;
    }
    const { answerAt, cutAt } = result.value;
    if (answerAt === cutAt && answerAt !== Infinity) throw new Tie();
    if (answerAt <= now) return this.goOn(running, running.steps.next('answered'));
    const woken = answerAt < cutAt ? 'answered' : 'cut';
    running.pending = { at: Math.min(answerAt, cutAt), happens: () => this.wake(running, woken) };
    if (running.pending.at !== Infinity) this.due.add(running.pending);
  }

  private look(): Look {
    const { memories, store } = this.world;
    return {
      health: memories.map((memory) => this.health(memory)),
      store: [...store.values()].map(({ value, storedAt }) => `${value} at ${storedAt}`).sort(),
    };
  }

  private health({ circuit, counts, lastKind, servedAt }: Memory): HealthSeen {
    const { now } = this.world;
    const is = state(circuit, now);
    return {
      state: is,
      consecutiveFailures: circuit.failures,
      coolingFor: is === 'open' ? Math.ceil(circuit.openUntil! - now) : 0,
      ...(lastKind !== undefined && { lastKind }),
      ...(servedAt !== undefined && { servedAgo: now - servedAt }),
      counts,
    };
  }
}
