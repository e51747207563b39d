/** What a provider has asked for, and denials. */
import { LONG, THRESHOLD } from './circuit-bench.js';
import type { Circuit, CircuitBench } from './circuit-bench.js';
import { LeftOut, NotThere } from './rules.js';
import type { Rule } from './rules.js';

/** @internal */
export type AdviceRule =
  | 'advice-lost'
  | 'cooldown-over-advice'
  | 'zero-advice-opens'
  | 'late-advice-lost'
  | 'advice-shortened'
  | 'insists-unsaid'
  | 'denial-lost'
  | 'denial-at-once';

/** Other than any cooldown of a check. */
const ADVISED = LONG / 2;

const limited = (openFor: number) => ({ kind: 'rate-limited', openFor }) as const;

/** @internal */
export const adviceRules: Record<AdviceRule, Rule<CircuitBench>> = {
  'advice-lost': {
    advice: 'open at once for `openFor` if the kind is `rate-limited`',
    async play(bench) {
      const circuit = bench.circuit();
      const { state } = await circuit.fail(1, limited(ADVISED));
      if (state !== 'open') return 'advice with a rate limit does not open a circuit';
      return notFor(bench, circuit, ADVISED);
    },
  },
  'cooldown-over-advice': {
    advice: 'open for `openFor` instead of the cooldown if the failure that opens has advice',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.fail(THRESHOLD - 1);
      const { state } = await circuit.fail(1, { openFor: ADVISED });
      if (state !== 'open') return 'the last failure does not open a circuit if it has advice';
      return notFor(bench, circuit, ADVISED);
    },
  },
  'zero-advice-opens': {
    advice: 'never open by a failure whose `openFor` is 0',
    async play(bench) {
      const { state } = await bench.circuit().fail(THRESHOLD, { openFor: 0 });
      const other = await bench.circuit().fail(1, limited(0));
      return state === 'closed' && other.state === 'closed' ? undefined : 'a failure that advises no delay opens';
    },
  },
  'late-advice-lost': {
    advice:
      'take advice of any period: it opens a closed circuit if the kind is `rate-limited`, and extends an open one',
    async play(bench) {
      const closed = bench.circuit();
      await closed.known();
      const { state } = await closed.fail(1, { ...limited(ADVISED), epoch: -1 });
      if (state !== 'open') return 'the advice of a late rate limit is lost';
      const open = bench.circuit();
      await open.opened();
      await open.fail(1, { openFor: 2 * LONG, epoch: -1 });
      return notFor(bench, open, 2 * LONG);
    },
  },
  'advice-shortened': {
    advice: 'of two deadlines the later wins',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.opened();
      await circuit.fail(1, { ...limited(bench.pause), epoch: -1 });
      return notFor(bench, circuit, LONG);
    },
  },
  'insists-unsaid': {
    advice: 'say `insists` of what advice or denial has opened, and not of what failures have opened',
    async play(bench) {
      const advised = bench.circuit();
      const reading = await advised.fail(1, limited(ADVISED));
      const permit = await advised.admit();
      const failed = bench.circuit();
      const other = await failed.opened();
      if (reading.state !== 'open') throw new NotThere('advice opens nothing');
      if (reading.insists === undefined && permit.insists === undefined) throw new LeftOut();
      if (reading.insists !== true || permit.insists !== true) return 'what advice has opened does not insist';
      return other.insists === true ? 'what failures have opened insists' : undefined;
    },
  },
  'denial-lost': {
    advice: 'open at once for `maxCooldown` if the kind is `denied` and there was no success in the last minute',
    async play(bench) {
      const circuit = bench.circuit();
      const { state } = await circuit.fail(1, { kind: 'denied' });
      return state === 'open'
        ? notFor(bench, circuit, circuit.breaker.maxCooldown)
        : 'a denial does not open a circuit';
    },
  },
  'denial-at-once': {
    advice:
      'count `denied` as an ordinary failure if there was a success in the last minute, also of a key then unknown',
    async play(bench) {
      const circuit = bench.circuit();
      await circuit.succeed();
      const { state } = await circuit.fail(1, { kind: 'denied' });
      return state === 'closed' ? undefined : 'one denial a moment after a success opens a circuit';
    },
  },
};

/** What is wrong if the circuit is not open for about so long. */
async function notFor(bench: CircuitBench, circuit: Circuit, ms: number): Promise<string | undefined> {
  const { granted, retryIn } = await circuit.admit();
  if (!granted && bench.isAbout(retryIn, ms)) return undefined;
  return `a circuit that must stay open for ${ms} ms ${granted ? 'lets a call in' : `does so for ${retryIn} ms`}`;
}
