/** What a person wants. */
import { LONG, THRESHOLD } from './circuit-bench.js';
import type { Circuit, CircuitBench } from './circuit-bench.js';
import type { Rule } from './rules.js';

/** @internal */
export type ControlRule =
  | 'isolate-lost'
  | 'isolated-probed'
  | 'restore-lost'
  | 'reset-lost'
  | 'control-keeps-period'
  | 'isolation-forgets-advice';

/** @internal */
export const controlRules: Record<ControlRule, Rule<CircuitBench>> = {
  'isolate-lost': {
    advice:
      'refuse every call of an isolated key with state `isolated` and `retryIn: Infinity`, also of one it did not know',
    async play(bench) {
      const unknown = bench.circuit();
      const open = bench.circuit();
      await open.opened();
      for (const circuit of [unknown, open]) {
        await circuit.control('isolate');
        const { granted, retryIn, state = 'isolated' } = await circuit.admit();
        if (granted) return 'a call of an isolated circuit is granted';
        if (state !== 'isolated' || retryIn !== Infinity)
          return `an isolated circuit is ${state}, \`retryIn\` ${retryIn}`;
      }
      return undefined;
    },
  },
  'isolated-probed': {
    advice: 'let nobody in until it is restored, whatever runs out and whatever is recorded',
    async play(bench) {
      const circuit = bench.circuit({ cooldown: bench.pause });
      await circuit.opened();
      const { epoch } = circuit;
      await circuit.control('isolate');
      await bench.pass(bench.pause);
      if ((await circuit.admit()).granted) return 'an isolated circuit is probed when its cooldown has run out';
      await circuit.succeed({ epoch });
      return (await circuit.admit()).granted ? 'the success of a call under way ends an isolation' : undefined;
    },
  },
  'restore-lost': {
    advice: 'put an isolated circuit back closed, without failures or denial, and leave others as they are',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.opened();
      await circuit.control('restore');
      if ((await circuit.admit()).granted) return 'restoring a circuit that is not isolated closes it';
      const denied = bench.circuit();
      await denied.fail(1, { kind: 'denied' });
      for (const each of [circuit, denied]) {
        await each.control('isolate');
        await each.control('restore');
        const wrong = await notAsNew(each, 'restored');
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  },
  'reset-lost': {
    advice: 'close a circuit that is reset and forget its failures, also if it is isolated',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.opened();
      await circuit.control('reset');
      const wrong = await notAsNew(circuit, 'reset');
      if (wrong !== undefined) return wrong;
      await circuit.control('isolate');
      await circuit.control('reset');
      return notAsNew(circuit, 'reset');
    },
  },
  'control-keeps-period': {
    advice: 'begin a period with every control, so that calls under way say nothing about it',
    async play(bench) {
      for (const actions of [['reset'], ['isolate', 'restore']] as const) {
        const circuit = bench.circuit();
        await circuit.known();
        const { epoch } = await circuit.fail();
        for (const action of actions) await circuit.control(action);
        const { state } = await circuit.fail(THRESHOLD, { epoch });
        if (state !== 'closed') return `failures of calls that began before ${actions.join(' and ')} open the circuit`;
      }
      return undefined;
    },
  },
  'isolation-forgets-advice': {
    advice: 'wait after `restore` for what was advised before and during the isolation',
    async play(bench) {
      const before = bench.circuit();
      await before.fail(1, { kind: 'rate-limited', openFor: LONG });
      await before.control('isolate');
      const during = bench.circuit();
      await during.control('isolate');
      await during.fail(1, { kind: 'rate-limited', openFor: LONG, epoch: -1 });
      for (const circuit of [before, during]) {
        if ((await circuit.admit()).state === 'open') return 'advice ends an isolation';
        await circuit.control('restore');
        const { granted, retryIn } = await circuit.admit();
        if (granted || !bench.isAbout(retryIn, LONG)) return 'an isolation forgets advice';
      }
      return undefined;
    },
  },
};

/** What is wrong if the circuit is not closed, with all failures still to come. */
async function notAsNew(circuit: Circuit, how: string): Promise<string | undefined> {
  const { granted, probe } = await circuit.admit();
  if (!granted || probe) return `a circuit is not closed when it is ${how}`;
  const { state } = await circuit.fail(THRESHOLD - 1);
  return state === 'closed' ? undefined : `a circuit that is ${how} remembers failures`;
}
