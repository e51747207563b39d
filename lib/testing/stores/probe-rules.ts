/** Who is let in when a cooldown has run out, and what becomes of a circuit by the probe's outcome. */
import { CROWD } from './bench.js';
import { LONG } from './circuit-bench.js';
import type { CircuitBench } from './circuit-bench.js';
import { NotThere } from './rules.js';
import type { Rule } from './rules.js';

/** @internal */
export type ProbeRule =
  | 'never-due'
  | 'two-probes'
  | 'probe-unmarked'
  | 'wrong-lease'
  | 'lease-never-ends'
  | 'late-probe-counts'
  | 'never-closes'
  | 'probe-failure-lost'
  | 'probe-not-freed'
  | 'terminal-keeps-open';

/** @internal */
export const probeRules: Record<ProbeRule, Rule<CircuitBench>> = {
  'never-due': {
    advice: 'grant the next asker the probe when `openUntil` has come',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.due();
      const state = await circuit.state();
      if (state !== 'half-open') return `a circuit whose cooldown has run out reads ${state}`;
      const { granted } = await circuit.admit();
      return granted ? undefined : 'nobody is let in when the cooldown has run out';
    },
  },
  'two-probes': {
    advice: 'grant the probe atomically, to one asker of the whole fleet',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.due();
      const permits = await circuit.crowd(() => circuit.admit());
      const granted = permits.filter((permit) => permit.granted).length;
      if (granted === 0) throw new NotThere('nobody is granted the probe');
      return granted === 1 ? undefined : `${granted} of ${CROWD} who ask at once are let in`;
    },
  },
  'probe-unmarked': {
    advice: 'say `probe: true`, and begin a period: its epoch is greater than any before',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.due();
      const { epoch } = circuit;
      const permit = await circuit.admit();
      if (!permit.granted) throw new NotThere('nobody is granted the probe');
      if (!permit.probe) return 'a probe is granted like any call';
      return permit.epoch > epoch ? undefined : 'a probe has the epoch of the opening';
    },
  },
  'wrong-lease': {
    advice: 'refuse with state `half-open`, and let `retryIn` be the rest of the lease',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.probed(LONG);
      const { granted, retryIn, state = 'half-open' } = await circuit.admit();
      if (granted) throw new NotThere('a second probe is granted');
      if (state !== 'half-open') return `who asks during a probe hears that the circuit is ${state}`;
      return bench.isAbout(retryIn, LONG)
        ? undefined
        : `who asks during a lease of ${LONG} ms shall retry in ${retryIn}`;
    },
  },
  'lease-never-ends': {
    advice: 'give the probe to the next asker when its lease has run out',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.probed(bench.pause);
      await bench.pass(bench.pause);
      const early = await circuit.admit();
      if (early.granted) return undefined;
      if (early.retryIn > bench.patience) return `a lease of ${bench.pause} ms ends in ${early.retryIn} ms`;
      await bench.pass(early.retryIn);
      const { granted } = await circuit.admit();
      return granted ? undefined : 'a probe that never settles locks the circuit';
    },
  },
  'late-probe-counts': {
    advice: 'during a probe, take only the outcome whose epoch is that of the probe that was let in last',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      const late = await circuit.probed(bench.pause);
      await bench.pass(bench.pause);
      const probe = await circuit.admit();
      if (!probe.granted) throw new NotThere('a lease never ends');
      for (const health of ['success', 'failure', 'ignore'] as const) {
        for (const epoch of [late.epoch, 0, -1]) {
          const { state } = await circuit.record(health, { epoch });
          const { granted } = await circuit.admit();
          if (state !== 'half-open' || granted) return `a ${health} counts that is not the probe's (epoch ${epoch})`;
        }
      }
      return undefined;
    },
  },
  'never-closes': {
    advice: 'close when the probe has succeeded, and begin a period',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      const probe = await circuit.probed();
      const { state, epoch } = await circuit.succeed();
      const permit = await circuit.admit();
      if (state !== 'closed' || !permit.granted || permit.probe)
        return 'the success of a probe does not close the circuit';
      return epoch > probe.epoch ? undefined : 'the epoch does not grow when a circuit closes';
    },
  },
  'probe-failure-lost': {
    advice: 'open again at once when the probe has failed, whatever the threshold',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause, factor: LONG });
      await circuit.probed();
      const { state } = await circuit.fail();
      const { granted } = await circuit.admit();
      return state === 'open' && !granted ? undefined : `a circuit is ${state} after the failure of its probe`;
    },
  },
  'probe-not-freed': {
    advice: 'free the probe whose outcome is ignored, so that the next asker is granted it',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.probed(LONG);
      await circuit.record('ignore');
      const { granted } = await circuit.admit();
      if ((await circuit.state()) !== 'half-open') return 'a probe whose outcome says nothing ends the half-open state';
      return granted ? undefined : 'a probe whose outcome says nothing keeps its lease';
    },
  },
  'terminal-keeps-open': {
    advice: 'close when the probe has ended `terminal`: the provider has answered',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.probed();
      const { state } = await circuit.record('ignore', { kind: 'terminal' });
      return state === 'closed' ? undefined : `a circuit is ${state} after a probe that ended terminal`;
    },
  },
};
