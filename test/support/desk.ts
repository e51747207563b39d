import { Injectable } from '@nestjs/common';
import { AttemptSignal, Degraded, Fallback, FallbackService, receiptOf } from '../../lib/index.js';
import type { FallbackModuleOptions, Receipt } from '../../lib/index.js';
import { startApp } from './nest-app.js';
import type { StartedApp } from './nest-app.js';
import { TestClock } from './test-clock.js';

const SUBSTITUTE = { substitute: 'substitute', mark: 'receipt' } as const;

/** One method in all the ways in which a call may be bounded; what it does is said by the test. */
@Injectable()
export class Desk {
  act: (signal: AbortSignal | undefined, question: string) => unknown = () => new Promise(() => {});
  readonly signals: AbortSignal[] = [];
  calls = 0;
  spares = 0;

  @Fallback('spare', { name: 'unlimited' })
  @Degraded(SUBSTITUTE)
  async unlimited(question: string, @AttemptSignal() signal?: AbortSignal): Promise<unknown> {
    return this.ask(signal, question);
  }

  @Fallback('spare', { name: 'timed', timeout: '1h' })
  @Degraded(SUBSTITUTE)
  async timed(question: string, @AttemptSignal() signal?: AbortSignal): Promise<unknown> {
    return this.ask(signal, question);
  }

  @Fallback('spare', { name: 'computed', timeout: () => '1h' })
  @Degraded(SUBSTITUTE)
  async computed(question: string, @AttemptSignal() signal?: AbortSignal): Promise<unknown> {
    return this.ask(signal, question);
  }

  @Fallback('spare', { name: 'deadlined', deadline: '1h', reserve: '1m' })
  @Degraded(SUBSTITUTE)
  async deadlined(question: string, @AttemptSignal() signal?: AbortSignal): Promise<unknown> {
    return this.ask(signal, question);
  }

  @Fallback('spare', { name: 'judged', accept: async () => true, supports: async () => true, retries: 2, cost: 0 })
  @Degraded(SUBSTITUTE)
  async judged(question: string, @AttemptSignal() signal?: AbortSignal): Promise<unknown> {
    return this.ask(signal, question);
  }

  async spare(_question: string): Promise<unknown> {
    this.spares++;
    return 'spare';
  }

  private ask(signal: AbortSignal | undefined, question: string): unknown {
    this.calls++;
    this.signals.push(signal!);
    return this.act(signal, question);
  }
}

/** The ways to make a call, by name. The caller's own signal and a receipt scope bound it too. */
export const WAYS: Readonly<Record<string, (desk: Desk, fallback: FallbackService) => Promise<unknown>>> = {
  unlimited: (desk) => desk.unlimited('q'),
  timed: (desk) => desk.timed('q'),
  computed: (desk) => desk.computed('q'),
  deadlined: (desk) => desk.deadlined('q'),
  judged: (desk) => desk.judged('q'),
  signalled: (desk) => desk.unlimited('q', new AbortController().signal),
  scoped: (desk, fallback) => fallback.withReceipt(() => desk.unlimited('q')),
};

/** The chain that a way calls. */
export const chainOf = (way: string): string => (way === 'signalled' || way === 'scoped' ? 'unlimited' : way);

export interface Opened extends StartedApp {
  readonly clock: TestClock;
  readonly desk: Desk;
}

/** An application with a desk, on a test clock. */
export async function openDesk(options: FallbackModuleOptions = {}): Promise<Opened> {
  const clock = new TestClock();
  const started = await startApp({ providers: [Desk], options: { clock, ...options } });
  return { ...started, clock, desk: started.app.get(Desk) };
}

/** What became of a promise, as far as it is known by now. */
export class Fate {
  value: unknown;
  error: unknown;
  isSettled = false;

  constructor(promise: Promise<unknown>) {
    promise.then(
      (value) => {
        this.value = value;
        this.isSettled = true;
        return undefined;
      },
      (error: unknown) => {
        this.error = error;
        this.isSettled = true;
      },
    );
  }

  get receipt(): Receipt | undefined {
    return receiptOf(this.error);
  }
}
