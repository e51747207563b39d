/** A circuit's life, and what listeners in two processes have heard of it. Told once, and asked about by several rules. */
import type { CircuitReading, HealthStore } from '../../core/index.js';
import { within } from '../probe.js';
import type { Circuit, CircuitBench } from './circuit-bench.js';

type Change = CircuitReading & { key: string };

/** A moment of real time, in which a message may come. */
const MOMENT = 100;

/** @internal */
export interface Story {
  /** of each listener: how often it heard what */
  readonly heard: readonly ReadonlyMap<string, number>[];
  /** the opening, as it was answered to who caused it and as it was told */
  readonly opening: { readonly answered: CircuitReading; readonly told: CircuitReading | undefined };
  /** somebody heard of a change after leaving */
  readonly isHaunted: boolean;
}

/** How often each change happens in the story. @internal */
export const HAPPENS: ReadonlyMap<string, number> = new Map([
  ['closed, failures 1', 3],
  ['closed, failures 0', 4],
  ['open', 2],
  ['isolated', 2],
]);

/** null if nothing is heard of what happens. @internal */
export async function tellStory(bench: CircuitBench): Promise<Story | null> {
  const [here, there] = bench.handles;
  const ears = [new Ear(here), new Ear(there), new Ear(there)];
  try {
    if (!(await canHear(bench, ears))) return null;
    const circuit = bench.circuit({ cooldown: bench.pause });
    const answered = await live(bench, circuit);
    const leaver = ears[2]!;
    leaver.leave();
    const heardBefore = leaver.of(circuit).length;
    await circuit.control('isolate');
    const rest = ears.slice(0, 2);
    const isLast = (ear: Ear): boolean => ear.of(circuit).filter(({ state }) => state === 'isolated').length >= 2;
    await Promise.all(rest.map((ear) => ear.until(() => isLast(ear), bench.patience)));
    await rest[0]!.until(() => false, MOMENT);
    const told = rest[0]!.of(circuit).find(({ state }) => state === 'open');
    return {
      heard: rest.map((ear) => count(ear.of(circuit))),
      opening: { answered, told },
      isHaunted: leaver.of(circuit).length > heardBefore,
    };
  } finally {
    for (const ear of ears) ear.leave();
  }
}

/** Everything that is told of, up to the last isolation, and much that is not. Gives the reading of the opening. */
async function live(bench: CircuitBench, circuit: Circuit): Promise<CircuitReading> {
  await circuit.fail(2);
  await circuit.succeed();
  await circuit.succeed();
  const opening = await circuit.opened();
  await bench.pass(circuit.inTime(Math.max(bench.pause, opening.retryIn ?? 0)));
  await circuit.admit();
  await circuit.succeed();
  await circuit.control('isolate');
  await circuit.control('isolate');
  await circuit.control('restore');
  const { epoch } = await circuit.admit();
  circuit.breaker.cooldown = circuit.breaker.maxCooldown;
  await circuit.crowd(() => circuit.fail(1, { epoch }));
  await circuit.control('reset');
  return opening;
}

/** A subscription may take a moment to begin. */
async function canHear(bench: CircuitBench, ears: readonly Ear[]): Promise<boolean> {
  const circuits: Circuit[] = [];
  const hasHeard = (ear: Ear): boolean => circuits.some((circuit) => ear.of(circuit).length > 0);
  for (let waited = 0; waited < bench.patience; waited += MOMENT) {
    const circuit = bench.circuit();
    circuits.push(circuit);
    await circuit.control('isolate');
    const heard = await Promise.all(ears.map((ear) => ear.until(() => hasHeard(ear), MOMENT)));
    if (heard.every((isHeard) => isHeard)) return true;
  }
  return false;
}

function count(changes: readonly Change[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { state, failures = 0 } of changes) {
    const what = state === 'closed' ? `closed, failures ${failures}` : state;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

class Ear {
  private readonly changes: Change[] = [];
  private readonly end: () => void;
  private look: (() => void) | undefined;

  constructor(store: HealthStore) {
    this.end = store.subscribe!((change) => {
      this.changes.push(change);
      this.look?.();
    });
  }

  of({ key }: Circuit): Change[] {
    return this.changes.filter((change) => change.key === key);
  }

  leave(): void {
    this.end();
  }

  /** Whether it comes to be so, within `ms` of real time. */
  async until(isSo: () => boolean, ms: number): Promise<boolean> {
    if (isSo()) return true;
    const heard = new Promise<true>((resolve) => {
      this.look = () => {
        if (isSo()) resolve(true);
      };
    });
    return (await within(ms, heard)) !== undefined;
  }
}
