/** To which period an outcome counts, and how often. */
import { LONG, THRESHOLD } from './circuit-bench.js';
import type { CircuitBench } from './circuit-bench.js';
import { LeftOut, NotThere } from './rules.js';
import type { Rule } from './rules.js';

/** @internal */
export type PeriodRule =
  | 'late-failure-counts'
  | 'late-success-counts'
  | 'unknown-period-lost'
  | 'last-resort-lost'
  | 'last-resort-extends'
  | 'epoch-falls'
  | 'epoch-small'
  | 'id-counts-twice'
  | 'id-hides-others'
  | 'id-answers-past'
  | 'last-success-lost'
  | 'last-success-wrong'
  | 'failures-wrong'
  | 'kind-wrong';

/** @internal */
export const periodRules: Record<PeriodRule, Rule<CircuitBench>> = {
  'late-failure-counts': {
    advice: 'count a failure only if its epoch is the current one, or 0 while closed',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      const probe = await circuit.probed();
      const { state } = await circuit.succeed();
      if (state !== 'closed') throw new NotThere('a circuit does not close');
      for (const epoch of [-1, probe.epoch]) {
        const late = await circuit.fail(THRESHOLD, { epoch });
        if (late.state !== 'closed')
          return `failures of ${epoch === -1 ? 'epoch -1' : 'a period that is over'} open a circuit`;
      }
      return undefined;
    },
  },
  'late-success-counts': {
    advice: 'let a success change a circuit only if its epoch is the current one, or 0 while closed',
    async play(bench) {
      const circuit = bench.circuit();
      const { epoch } = await circuit.fail(THRESHOLD - 1);
      await circuit.succeed({ epoch: -1 });
      const { state } = await circuit.fail(1, { epoch });
      if (state !== 'open') return 'a success of epoch -1 clears failures';
      for (const late of [-1, 0, epoch]) {
        const after = await circuit.succeed({ epoch: late });
        if (after.state !== 'open')
          return `a success of a call that began before the opening (epoch ${late}) closes a circuit`;
      }
      return undefined;
    },
  },
  'unknown-period-lost': {
    advice: 'take an outcome of epoch 0 as one of the current period if the circuit is closed',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.known();
      const { state } = await circuit.fail(THRESHOLD, { epoch: 0 });
      return state === 'open' ? undefined : 'failures of epoch 0 do not open a known, closed circuit';
    },
  },
  'last-resort-lost': {
    advice: 'close an open circuit by a success whose epoch is the current one: it was tried when nobody else answered',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.opened();
      const { state } = await circuit.succeed();
      return state === 'closed' ? undefined : 'the success of a try of an open circuit is lost';
    },
  },
  'last-resort-extends': {
    advice: 'let the failure of a try of an open circuit change nothing',
    async play(bench) {
      const circuit = bench.circuit();
      const { epoch } = await circuit.opened();
      for (const began of [epoch, 0, -1]) await circuit.fail(1, { epoch: began });
      const { retryIn } = await circuit.admit();
      if (circuit.epoch === epoch && retryIn <= LONG + 1) return undefined;
      return 'the failure of a try of an open circuit opens it once more';
    },
  },
  'epoch-falls': {
    advice: 'let the epoch grow by every change of state, and begin a key anew with the time in ms',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      const epochs = [(await circuit.fail()).epoch];
      await circuit.due();
      epochs.push(circuit.epoch, (await circuit.admit()).epoch, (await circuit.succeed()).epoch);
      for (const action of ['isolate', 'restore', 'reset'] as const) {
        await circuit.control(action);
        epochs.push((await circuit.fail(1, { epoch: -1 })).epoch);
      }
      await bench.pass(1);
      epochs.push((await circuit.fail(1, { epoch: 0 })).epoch);
      const known = epochs.filter((epoch) => epoch !== 0);
      const falls = known.some((epoch, place) => place > 0 && epoch < known[place - 1]!);
      // The last failure belongs to the period that the reset has begun.
      return falls || new Set(known).size < known.length - 1
        ? `the epochs of a circuit are ${epochs.join(', ')}`
        : undefined;
    },
  },
  'epoch-small': {
    advice: 'begin a key with its clock in ms as the epoch, so that it is greater than any that the key ever had',
    async play(bench) {
      const circuit = bench.circuit();
      const { epoch } = await circuit.fail();
      const { openUntil } = await circuit.fail(THRESHOLD - 1);
      const { retryIn } = await circuit.admit();
      const now = openUntil - retryIn;
      if (openUntil === 0) throw new NotThere('a circuit does not open');
      const isNow = Math.abs(now - epoch) <= 4 * bench.patience;
      return isNow ? undefined : `a new key has the epoch ${epoch} when it is ${Math.round(now)} by the store's clock`;
    },
  },
  'id-counts-twice': {
    advice: 'count an outcome with the same `id` once, also if it is told twice at the same time',
    async play(bench) {
      const circuit = bench.circuit();
      const { state } = await circuit.fail(THRESHOLD, { id: 'once' });
      if (state !== 'closed') throw new LeftOut();
      await circuit.crowd(() => circuit.fail(1, { id: 'at the same time' }));
      return (await circuit.state()) === 'closed' ? undefined : 'one outcome counts again when it is told again';
    },
  },
  'id-hides-others': {
    advice: 'remember each `id`, and count outcomes that have another or none',
    async play(bench) {
      const circuit = bench.circuit();
      const again = await circuit.fail(THRESHOLD, { id: 'first' });
      if (again.state !== 'closed') throw new LeftOut();
      await circuit.fail(1, { id: 'second' });
      const { state } = await circuit.fail();
      return state === 'open' ? undefined : 'an outcome with another `id` does not count';
    },
  },
  'id-answers-past': {
    advice: 'answer an outcome that is told again with the reading of now',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.fail(THRESHOLD, { id: 'first' });
      if ((await circuit.state()) !== 'closed') throw new LeftOut();
      const { epoch } = await circuit.fail(THRESHOLD);
      const again = await circuit.fail(1, { id: 'first' });
      if (again.epoch === epoch && again.state === 'open') return undefined;
      return `who tells a failure again hears that an open circuit is ${again.state}`;
    },
  },
  'last-success-lost': {
    advice: 'keep `lastServedAt` over failures, openings, closings and resets',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.succeed();
      const { lastServedAt } = await circuit.admit();
      if (lastServedAt === undefined) throw new LeftOut();
      await circuit.opened();
      const whileOpen = await circuit.admit();
      await circuit.control('reset');
      const { lastServedAt: after } = await circuit.admit();
      if (whileOpen.lastServedAt !== lastServedAt) return 'an opening changes `lastServedAt`';
      return after === lastServedAt ? undefined : 'a reset changes `lastServedAt`';
    },
  },
  'last-success-wrong': {
    advice: 'let `lastServedAt` be the time of the last success in ms, by the same clock as `openUntil`',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.succeed();
      const { openUntil } = await circuit.opened();
      const { retryIn, lastServedAt } = await circuit.admit();
      if (lastServedAt === undefined) throw new LeftOut();
      const now = openUntil - retryIn;
      const isNow = Math.abs(now - lastServedAt) <= 4 * bench.patience;
      return isNow ? undefined : `\`lastServedAt\` is ${lastServedAt}, a moment before ${Math.round(now)}`;
    },
  },
  'failures-wrong': {
    advice: 'let `failures` be those since the last success',
    async play(bench) {
      const circuit = bench.circuit();
      const said = [await circuit.fail(), await circuit.fail(), await circuit.succeed()].map(
        ({ failures }) => failures,
      );
      if (said.every((failures) => failures === undefined)) throw new LeftOut();
      return said.join() === '1,2,0' ? undefined : `two failures and a success count ${said.join()}`;
    },
  },
  'kind-wrong': {
    advice: 'let `kind` be that of the outcome that has opened the circuit',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.fail(THRESHOLD - 1);
      const { kind, state } = await circuit.fail(1, { kind: 'timeout' });
      if (state !== 'open') throw new NotThere('a circuit does not open');
      if (kind === undefined) throw new LeftOut();
      return kind === 'timeout' ? undefined : `what a timeout has opened is opened by ${kind}`;
    },
  },
};
