import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as ours from '../../lib/index.js';
import { buildBoth } from '../support/two-builds.js';
import type { Format, TwoBuilds } from '../support/two-builds.js';
import type { Report } from './two-copies/report.js';

const LIMIT = 60_000;
const FORMATS: readonly Format[] = ['esm', 'cjs'];
const runs = FORMATS.flatMap((program) => FORMATS.map((ofModule) => ({ program, ofModule })));
const BOTH = [true, true];
const NEITHER = [false, false];

let builds: TwoBuilds;
beforeAll(async () => {
  builds = await buildBoth(fileURLToPath(new URL('./two-copies', import.meta.url)));
}, LIMIT);
afterAll(() => builds.remove());

/** A real process with a real application over HTTP; both builds of the package are loaded. */
describe.each(runs)(
  'a program in $program, the module of the $ofModule build, classes decorated by the other',
  (run) => {
    let said: Report;
    beforeAll(async () => {
      const { code, stdout, stderr } = await builds.run(run.program, run.ofModule);
      if (code !== 0) throw new Error(stderr);
      said = JSON.parse(stdout) as Report;
    }, LIMIT);

    it('really are two copies, on the Nest that was asked for', () => {
      expect(said.areTwo).toBe(true);
      expect(said.nest.split('.')[0]).toBe(process.env.NEST ?? '12');
    });

    it('agree on decorated methods', () => {
      expect(said.decorated).toEqual({
        answers: ['backup of host', 'mirror'],
        byHand: 'Error: upstream is down',
        policyOfBoth: { by: 'substitute', degraded: true },
        child: { by: 'substitute', degraded: true },
        chains: expect.arrayContaining(['decorated', 'of-both', 'child', 'inner', 'handler']),
      });
      expect(new Set(said.decorated.chains).size).toBe(said.decorated.chains.length);
    });

    it('agree on brands: envelopes, deferred work, chains of functions', () => {
      expect(said.brands).toEqual({
        envelopes: [
          ['mine', 'served'],
          ['other', 'envelope'],
        ],
        deferred: ['later', { chain: 'deferred', source: 'deferred', servedBy: null, degraded: true }],
        nesting: [
          { by: 'second-rate' },
          { chain: 'nesting', source: 'candidate', servedBy: 'second-rate', degraded: true },
          ['transient', 'transient', 'ok'],
        ],
        chainInChain: ['inner', ['candidate0', 'mine']],
      });
    });

    it('agree on errors', () => {
      expect(said.errors).toEqual({
        exhausted: BOTH,
        notATimeout: NEITHER,
        ofFunctions: BOTH,
        configuration: BOTH,
        gated: 'after AttemptTimeoutError',
        kinds: [
          ['rateLimited', 'rate-limited'],
          ['transient', 'transient'],
          ['terminal', 'terminal'],
          ['unsupported', 'unsupported'],
          ['denied', 'denied'],
          ['budgetExhausted', 'budget'],
        ],
      });
    });

    it('agree on receipts, and see one scope', () => {
      const receipt = { chain: 'of-both', source: 'static', servedBy: null, degraded: true };
      const scope = { seenByTheOther: ['decorated', 'of-both'], collected: ['decorated', 'of-both'] };
      expect(said.receipts).toEqual({
        ofError: ['exhausted', 'exhausted'],
        ofAnswer: [receipt, receipt],
        areTheSame: true,
        scopes: [scope, scope],
      });
    });

    it('have one circuit where it is shared', () => {
      expect(said.circuits).toEqual({
        attempts: [['transient'], ['transient'], ['cooling'], ['cooling']],
        states: ['open', 'open'],
      });
    });

    it("listen to a caller's signal once, and not at all when all calls have ended", () => {
      expect(said.signals).toEqual({ listeners: 1, ends: [true, true, true, true], innerAborted: true, left: 0 });
    });

    it('have one timer for one timeout', () => {
      expect(said.timers).toEqual({ started: 1 });
    });

    it('agree on what an HTTP response says', () => {
      expect(said.http).toEqual({
        degraded: [200, 'of-both;source=static;reason=transient', null],
        exhausted: [503, null, 'FALLBACK_EXHAUSTED'],
        functions: [503, null, 'FALLBACK_EXHAUSTED'],
      });
    });

    it('inject by the tokens of both', () => {
      const tokens = ['CHAIN_HEALTH', 'FALLBACK_SERVICE', 'FALLBACK_EVENTS'].filter((name) => name in ours);
      expect(tokens.length).toBeGreaterThanOrEqual(2);
      expect(said.tokens).toEqual(tokens.map((name) => [name, true, true]));
    });
  },
);
