/** Circuits of a health store under test: what is told and asked of one, and the ways to where a rule begins. */
import type { CircuitOutcome, CircuitPermit, CircuitReading, CircuitState, HealthStore } from '../../core/index.js';
import { Bench, CROWD } from './bench.js';
import { NotThere, Trouble } from './rules.js';

type Control = 'isolate' | 'restore' | 'reset';
/** In numbers, so that they can be waited for. */
type Breaker = Omit<CircuitOutcome['breaker'], Times> & Record<Times, number>;
type Times = 'cooldown' | 'maxCooldown' | 'window';
/** What an outcome is besides its health; the epoch is the last that was heard of, unless it says another. */
type More = Partial<Omit<CircuitOutcome, 'health' | 'breaker'>>;

/** So long that it does not run out during a check. @internal */
export const LONG = 60_000;
/** Consecutive failures that open a circuit. @internal */
export const THRESHOLD = 3;

const BREAKER: Breaker = {
  threshold: THRESHOLD,
  cooldown: LONG,
  factor: 2,
  maxCooldown: 5 * LONG,
  mode: 'consecutive',
  window: LONG,
  volume: CROWD,
  share: 0.3,
};
const STATES: readonly unknown[] = ['closed', 'open', 'half-open', 'isolated'] satisfies CircuitState[];

/** @internal */
export class CircuitBench extends Bench<HealthStore> {
  private readonly circuits: Circuit[] = [];

  circuit(breaker: Partial<Breaker> = {}, key = this.key('circuit')): Circuit {
    const circuit = new Circuit(this, key, { ...BREAKER, ...breaker });
    this.circuits.push(circuit);
    return circuit;
  }

  /** As long as the time that was given, counted down by no more than the check may have taken. */
  isAbout(ms: number, expected: number): boolean {
    return ms <= expected + 1 && ms > expected - 2 * this.patience;
  }

  async cleanUp(): Promise<void> {
    for (const { key } of this.circuits) await this.ask('control', () => this.handles[0].control(key, 'reset'));
  }
}

/** @internal */
export class Circuit {
  /** the last that was heard of */
  epoch = 0;

  constructor(
    private readonly bench: CircuitBench,
    readonly key: string,
    readonly breaker: Breaker,
  ) {}

  async admit(lease = LONG): Promise<CircuitPermit> {
    const store = this.bench.next();
    const permit = await this.bench.ask('admit', () => store.admit(this.key, { lease }));
    if (typeof permit?.granted !== 'boolean' || typeof permit.probe !== 'boolean' || !isNumber(permit.epoch)) {
      throw new Trouble('nonsense', 'admit gives no permit: let it say `granted`, `probe`, `epoch` and `retryIn`');
    }
    if (!isNumber(permit.retryIn) || !(permit.retryIn >= 0)) {
      throw new Trouble('nonsense', 'admit gives a `retryIn` that is no number: Infinity gets lost as JSON, say');
    }
    if (permit.state !== undefined && !STATES.includes(permit.state)) throw notAState('admit', permit.state);
    this.epoch = permit.epoch;
    return permit;
  }

  async record(health: CircuitOutcome['health'], more: More = {}): Promise<CircuitReading> {
    const store = this.bench.next();
    const { breaker } = this;
    const kind = health === 'success' ? 'ok' : health === 'failure' ? 'transient' : 'cancelled';
    const outcome: CircuitOutcome = { epoch: this.epoch, kind, health, ...more, breaker };
    const reading = await this.bench.ask('record', () => store.record(this.key, outcome));
    if (!isNumber(reading?.epoch) || !isNumber(reading.openUntil)) {
      throw new Trouble('nonsense', 'record gives no reading: let it say `state`, `epoch` and `openUntil`');
    }
    if (!STATES.includes(reading.state)) throw notAState('record', reading.state);
    this.epoch = reading.epoch;
    return reading;
  }

  /** The same failure so many times, one after another. */
  async fail(times = 1, more?: More): Promise<CircuitReading> {
    let reading = await this.record('failure', more);
    for (let told = 1; told < times; told++) reading = await this.record('failure', more);
    return reading;
  }

  async succeed(more?: More): Promise<CircuitReading> {
    return this.record('success', more);
  }

  async control(action: Control): Promise<void> {
    const store = this.bench.next();
    await this.bench.ask(`control('${action}')`, () => store.control(this.key, action));
  }

  /** By the store's own word, not by ours. */
  async state(): Promise<CircuitState> {
    const { state } = await this.record('ignore', { epoch: -1 });
    return state;
  }

  /** Known to the store, and healthy. */
  async known(): Promise<void> {
    await this.fail();
    await this.succeed();
    if ((await this.state()) !== 'closed') throw new NotThere('a circuit that has failed once is not closed');
  }

  async opened(): Promise<CircuitReading> {
    const reading = await this.fail(THRESHOLD);
    if (reading.state === 'closed') throw new NotThere('a circuit does not open');
    return reading;
  }

  /** Its cooldown has run out, and nobody has asked yet. Needs a short one. */
  async due(): Promise<void> {
    const { retryIn = 0 } = await this.opened();
    await this.bench.pass(this.inTime(Math.max(retryIn, this.breaker.cooldown)));
  }

  /** The probe's permit. */
  async probed(lease = LONG): Promise<CircuitPermit> {
    await this.due();
    const permit = await this.admit(lease);
    if (!permit.granted) throw new NotThere('nobody is granted the probe of a circuit that is due');
    return permit;
  }

  /** What so many hear who do the same at once. */
  async crowd<T>(what: () => Promise<T>): Promise<T[]> {
    return Promise.all(Array.from({ length: CROWD }, what));
  }

  /** A time that the store gives, if one can wait for it. */
  inTime(ms: number): number {
    if (ms <= this.bench.patience) return ms;
    throw new NotThere(`a time of ${this.bench.pause} ms has become one of ${ms} ms`);
  }
}

function notAState(operation: string, state: unknown): Trouble {
  return new Trouble('nonsense', `${operation} gives the state ${String(state)}: it is one of ${STATES.join(', ')}`);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}
