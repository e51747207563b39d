/** When a circuit of a store opens, and for how long. */
import { CROWD } from './bench.js';
import { LONG, THRESHOLD } from './circuit-bench.js';
import type { CircuitBench } from './circuit-bench.js';
import { NotThere } from './rules.js';
import type { Rule } from './rules.js';

/** @internal */
export type OpeningRule =
  | 'unknown-key'
  | 'healthy-key'
  | 'opens-early'
  | 'never-opens'
  | 'wrong-cooldown'
  | 'opens-twice'
  | 'success-forgotten'
  | 'cooldown-stays'
  | 'cooldown-unbounded'
  | 'cooldown-kept'
  | 'zero-cooldown'
  | 'keys-mixed'
  | 'rate-ignored'
  | 'rate-remembers';

/** Much longer than what is waited for, and shorter than the usual cooldown of a check. */
const GROWN = LONG / 3;

/** @internal */
export const openingRules: Record<OpeningRule, Rule<CircuitBench>> = {
  'unknown-key': {
    advice: 'grant every call, with epoch 0, and write nothing down until a failure is recorded',
    async play(bench) {
      const circuit = bench.circuit();
      for (let asked = 0; asked < 2; asked++) {
        const { granted, probe, epoch, retryIn, state = 'closed' } = await circuit.admit();
        if (!granted || retryIn !== 0 || state !== 'closed') return 'a call of an unknown key is refused';
        if (probe || epoch !== 0) return 'asking makes a circuit';
      }
      return undefined;
    },
  },
  'healthy-key': {
    advice: 'keep no more of it than `lastServedAt`, so that its epoch is still 0',
    async play(bench) {
      const circuit = bench.circuit();
      const { state } = await circuit.succeed();
      const { granted, epoch } = await circuit.admit();
      return state === 'closed' && granted && epoch === 0 ? undefined : 'a success of an unknown key makes a circuit';
    },
  },
  'opens-early': {
    advice:
      'open by consecutive failures only, when they are `threshold`; only `rate-limited` and `denied` open at once',
    async play(bench) {
      const circuit = bench.circuit();
      const { state } = await circuit.fail(THRESHOLD - 1);
      const { granted, probe } = await circuit.admit();
      if (state !== 'closed' || !granted || probe)
        return `a circuit opens after ${THRESHOLD - 1} of ${THRESHOLD} failures`;
      const advised = await bench.circuit().fail(1, { openFor: LONG });
      return advised.state === 'closed'
        ? undefined
        : 'the advice of a transient failure opens a circuit that was not due';
    },
  },
  'never-opens': {
    advice: 'open after `threshold` consecutive failures, and refuse calls while `openUntil` is to come',
    async play(bench) {
      const circuit = bench.circuit();
      const { state } = await circuit.fail(THRESHOLD);
      const permit = await circuit.admit();
      if (state !== 'open') return `a circuit is ${state} after ${THRESHOLD} failures`;
      if (permit.granted) return 'a call is granted while the circuit is open';
      return permit.state === undefined || permit.state === 'open'
        ? undefined
        : `a permit says ${permit.state} for open`;
    },
  },
  'wrong-cooldown': {
    advice: 'open for `cooldown` ms, and count `retryIn` down to it, in ms',
    async play(bench) {
      const circuit = bench.circuit();
      const reading = await circuit.opened();
      const { retryIn } = await circuit.admit();
      for (const given of [retryIn, reading.retryIn ?? retryIn]) {
        if (!bench.isAbout(given, LONG)) return `after ${LONG} ms of cooldown were asked for, \`retryIn\` is ${given}`;
      }
      return undefined;
    },
  },
  'opens-twice': {
    advice: 'decide atomically; what was recorded for the period before the opening is late',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.known();
      const { epoch } = await circuit.admit();
      const readings = await circuit.crowd(() => circuit.fail(1, { epoch }));
      const epochs = new Set(readings.filter(({ state }) => state === 'open').map((reading) => reading.epoch));
      const { retryIn } = await circuit.admit();
      if (epochs.size > 1) return `${CROWD} failures at once open a circuit ${epochs.size} times`;
      return retryIn <= LONG + 1 ? undefined : `${CROWD} failures at once make a first cooldown of ${retryIn} ms`;
    },
  },
  'success-forgotten': {
    advice: 'let a success clear the failures before it',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.fail(THRESHOLD - 1);
      await circuit.succeed();
      const { state } = await circuit.fail(THRESHOLD - 1);
      return state === 'closed' ? undefined : 'failures before and after a success are counted together';
    },
  },
  'cooldown-stays': {
    advice: 'make each further opening `factor` times longer',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause, factor: GROWN / bench.pause });
      await circuit.probed();
      const { state } = await circuit.fail();
      const { retryIn } = await circuit.admit();
      if (state !== 'open' || bench.isAbout(retryIn, GROWN)) return undefined;
      return `a second cooldown of ${GROWN} ms is one of ${retryIn} ms`;
    },
  },
  'cooldown-unbounded': {
    advice: 'let no cooldown grow beyond `maxCooldown`',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause, factor: LONG, maxCooldown: GROWN });
      await circuit.probed();
      await circuit.fail();
      const { retryIn } = await circuit.admit();
      return retryIn <= GROWN + 1 ? undefined : `the longest cooldown is ${GROWN} ms, and \`retryIn\` is ${retryIn}`;
    },
  },
  'cooldown-kept': {
    advice: 'begin with `cooldown` again after a circuit has closed',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.probed();
      await circuit.succeed();
      Object.assign(circuit.breaker, { cooldown: GROWN, factor: 10 });
      await circuit.opened();
      const { retryIn } = await circuit.admit();
      return retryIn <= GROWN + 1 ? undefined : `the first cooldown after a closing, ${GROWN} ms, is ${retryIn} ms`;
    },
  },
  'zero-cooldown': {
    advice: 'leave a circuit closed whose cooldown is 0',
    async play(bench) {
      const { state } = await bench.circuit({ cooldown: 0 }).fail(THRESHOLD);
      return state === 'closed' ? undefined : 'a circuit without cooldown opens';
    },
  },
  'keys-mixed': {
    advice: 'tell keys apart whatever characters are in them',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.opened();
      const { key } = circuit;
      for (const alike of [key.toUpperCase(), `${key}:ids`, `${key} `, `${key}\u0301`, key.slice(0, -1)]) {
        const { granted } = await bench.circuit({}, alike).admit();
        if (!granted) return `the circuit of '${key}' is that of '${alike}'`;
      }
      return undefined;
    },
  },
  'rate-ignored': {
    advice: 'in rate mode, open at `share` of failures among at least `volume` outcomes',
    async play(bench) {
      const circuit = bench.circuit({ mode: 'rate', threshold: CROWD, volume: 4, share: 0.5 });
      await circuit.fail();
      await circuit.succeed();
      const few = await circuit.fail();
      const enough = await circuit.fail();
      if (few.state !== 'closed') return 'a share is taken of fewer outcomes than `volume`';
      if (enough.state !== 'open') return 'three failures in four calls do not open at a share of a half';
      const fair = bench.circuit(circuit.breaker);
      await fair.fail();
      for (let told = 0; told < 3; told++) await fair.succeed();
      const { state } = await fair.fail();
      return state === 'closed' ? undefined : 'two failures in five calls open at a share of a half';
    },
  },
  'rate-remembers': {
    advice: 'forget outcomes that are older than `window`',
    async play(bench) {
      const circuit = bench.circuit({ mode: 'rate', threshold: CROWD, volume: 4, share: 0.5, window: bench.pause });
      const few = await circuit.fail(3);
      if (few.state !== 'closed') throw new NotThere('a share is taken of fewer outcomes than `volume`');
      await bench.pass(2 * bench.pause);
      const { state } = await circuit.fail();
      return state === 'closed' ? undefined : 'failures that are older than the window count';
    },
  },
};
