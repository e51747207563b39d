/** Plays a program on the engine, at instants that the model has worked out. */
import { Call } from '../../lib/core/call.js';
import type { CallInputs } from '../../lib/core/call.js';
import { healthOf, isolateCandidate, resetHealth, restoreCandidate } from '../../lib/core/candidate-health.js';
import { compileChain } from '../../lib/core/compile.js';
import { Engine } from '../../lib/core/engine.js';
import type { ChainPlan } from '../../lib/core/plan.js';
import type { FallbackEvent, Receipt } from '../../lib/core/types.js';
import { walk } from '../../lib/core/walk.js';
import { TestClock, settle } from '../support/test-clock.js';
import { specOf } from './chain.js';
import type { Host } from './chain.js';
import { BIRTH } from './instants.js';
import { reasonOf } from './program.js';
import type { Program, Step } from './program.js';
import { Props } from './props.js';
import type { HealthSeen, Look, Seen } from './seen.js';
import type { Ending } from './spec/ending.js';
import { answerTold, errorTold } from './told.js';

/** A call, while it runs and when it has ended. */
interface Running {
  readonly caller: AbortController;
  receipt: Receipt | undefined;
  seen: { endedAt: number; ending: Partial<Ending> } | null;
}

export class EngineSide {
  readonly events: FallbackEvent[] = [];
  readonly clock = new TestClock(BIRTH.wall);
  private readonly props = new Props();
  private readonly calls: Running[] = [];
  private readonly invoked: string[] = [];
  private readonly store = new Map<string, object>();
  private readonly plan: ChainPlan;
  private readonly isEverAborted: boolean;

  constructor(private readonly program: Program) {
    const observers = program.isWatched ? [(event: FallbackEvent) => void this.events.push(event)] : [];
    const { clock, props, invoked, store } = this;
    this.plan = compileChain(specOf(program, { clock, props, invoked, store }), new Engine({ clock, observers }), {});
    this.isEverAborted = program.steps.some((step) => step.do === 'abort');
  }

  async play(instants: readonly number[]): Promise<Seen> {
    const looks: Look[] = [];
    for (const [place, step] of this.program.steps.entries()) {
      await this.clock.advance(instants[place]! - this.clock.now());
      this.perform(step);
      await settle();
      looks.push(this.look());
    }
    return { invoked: this.invoked, calls: this.calls.map(({ seen }) => seen as Seen['calls'][number]), looks };
  }

  private perform(step: Step): void {
    switch (step.do) {
      case 'call':
        return this.begin(step);
      case 'abort': {
        const place = this.calls.length - 1 - step.back;
        this.calls[place]?.caller.abort(this.props.reason(reasonOf(place)));
        return;
      }
      case 'jump':
        return this.clock.setWall(this.clock.wall() + step.ms);
      case 'isolate':
      case 'restore': {
        const candidate = this.plan.candidates[step.place % this.plan.candidates.length]!;
        return (step.do === 'isolate' ? isolateCandidate : restoreCandidate)(this.plan, candidate);
      }
      case 'reset':
        return resetHealth(this.plan);
      case 'advance':
    }
  }

  private begin(step: Step & { do: 'call' }): void {
    const { props, clock, program } = this;
    const number = this.calls.length;
    const running: Running = { caller: new AbortController(), receipt: undefined, seen: null };
    this.calls.push(running);
    if (step.isAborted) running.caller.abort(props.reason(reasonOf(number)));
    const host: Host = { number, step };
    const end = (ending: Partial<Ending>): void => {
      running.seen = { endedAt: clock.now(), ending };
    };
    walk(new Call(this.plan, host, [step.question], this.inputs(running, step.isAborted))).then(
      (given) => end(answerTold(given, running.receipt, program.substitutes?.mark, props)),
      (error: unknown) => end(errorTold(error, running.receipt, props)),
    );
  }

  /** As little as the program needs: what a call is not given takes other ways through the engine. */
  private inputs(running: Running, isAborted: boolean): CallInputs {
    const collect = (receipt: Receipt): void => void (running.receipt = receipt);
    return {
      ...((this.isEverAborted || isAborted) && { signal: running.caller.signal }),
      ...(this.program.isWatched && { scope: { group: null, ended: null, within: (part) => part(), collect } }),
    };
  }

  private look(): Look {
    const stored = [...this.store.values()] as { value: unknown; storedAt: number }[];
    return {
      health: healthOf(this.plan).map((health) => this.health(health)),
      store: stored.map(({ value, storedAt }) => `${this.props.nameOfValue(value).slice(8)} at ${storedAt}`).sort(),
    };
  }

  private health(health: ReturnType<typeof healthOf>[number]): HealthSeen {
    const { state, consecutiveFailures, coolingFor, lastKind, lastServedAt, counts } = health;
    return {
      state,
      consecutiveFailures,
      coolingFor,
      ...(lastKind !== undefined && { lastKind }),
      ...(lastServedAt !== undefined && { servedAgo: this.clock.wall() - lastServedAt }),
      counts,
    };
  }
}
