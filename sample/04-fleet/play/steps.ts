import type { CircuitState } from 'nestjs-fallback';
import type { Expected } from '../../stage/step.js';
import type { FleetService } from '../fleet/fleet.service.js';
import { ask, askDuringProbe } from './ask.js';
import type { FleetAnswer } from './ask.js';

export interface FleetStep {
  what: string;
  before?: (fleet: FleetService) => Promise<void>;
  ask: (fleet: FleetService) => Promise<FleetAnswer[]>;
  /** of all answers, but the one of a probe */
  expect: Expected;
  /** one of the answers comes from a probe, so from the bourse */
  isProbed?: boolean;
  /** how often the bourse was asked, by whomever, whether it lived or not */
  asked: number;
  /** what all processes think of the bourse afterwards */
  circuits: CircuitState;
}

export const byBourse: Expected = { status: 200, by: 'bourse', source: 'candidate' };
const byKiosk: Expected = { status: 200, by: 'kiosk', source: 'candidate' };

const NOK = '/rates/NOK';
/** Only process 1 is ever asked for it while the bourse is well. */
const CHF = '/rates/CHF';

/** The story. Circuits open at the second failure in a row and cool for three seconds. */
export const STEPS: readonly FleetStep[] = [
  {
    what: 'Everything is up. Each process asks the bourse.',
    ask: ({ processes }) => ask(processes, NOK),
    expect: byBourse,
    asked: 3,
    circuits: 'closed',
  },
  {
    what: 'Francs, of process 1 alone.',
    ask: ({ processes: [first] }) => ask([first], CHF),
    expect: byBourse,
    asked: 1,
    circuits: 'closed',
  },
  {
    what: 'The bourse is killed (SIGKILL). Process 1 asks it twice in vain; then its circuit is open, in all three.',
    before: ({ exchanges }) => exchanges.kill('bourse'),
    ask: ({ processes: [first] }) => ask([first], NOK, 2),
    expect: byKiosk,
    asked: 2,
    circuits: 'open',
  },
  {
    what: 'The other two have learned it, and do not ask the bourse even once.',
    ask: ({ processes: [, ...others] }) => ask(others, NOK, 5),
    expect: byKiosk,
    asked: 0,
    circuits: 'open',
  },
  {
    what: 'The kiosk is killed, too. Process 3 never saw the rate of the franc; it serves, marked, what process 1 saw.',
    before: ({ exchanges }) => exchanges.kill('kiosk'),
    ask: ({ processes: [, , third] }) => ask([third], CHF),
    expect: { status: 200, source: 'last-known-good', reason: 'transient' },
    asked: 0,
    circuits: 'open',
  },
  {
    what: 'Both are back, the bourse with a long queue. When it has cooled, exactly one request of all probes it.',
    before: async ({ exchanges }) => {
      await Promise.all([exchanges.start('bourse'), exchanges.start('kiosk')]);
      await exchanges.tell('bourse', 'busy');
    },
    ask: (fleet) => askDuringProbe(fleet, NOK),
    expect: byKiosk,
    isProbed: true,
    asked: 1,
    circuits: 'closed',
  },
  {
    what: 'That went well, so all three ask the bourse again.',
    ask: ({ processes }) => ask(processes, NOK),
    expect: byBourse,
    asked: 3,
    circuits: 'closed',
  },
  {
    what: 'Redis is killed (SIGKILL). No client notices.',
    before: async ({ processes, redis }) => {
      // A busy machine may have made somebody wait for Redis before; from here on it counts.
      for (const process of processes) process.forgetEvents();
      await redis.kill();
    },
    ask: ({ processes }) => ask(processes, NOK, 2),
    expect: byBourse,
    asked: 6,
    circuits: 'closed',
  },
  {
    what: 'The bourse is killed again. Now each process has to find out by itself, as if it were alone, and says so once.',
    before: ({ exchanges }) => exchanges.kill('bourse'),
    ask: ({ processes }) => ask(processes, NOK, 4),
    expect: byKiosk,
    asked: 6,
    circuits: 'open',
  },
  {
    what: 'Redis is back, empty. Each process says so once, and tells it what it knows.',
    before: async (fleet) => {
      await fleet.untilAllTold('store.failed');
      await fleet.redis.start();
      await fleet.untilAllTold('store.recovered');
    },
    ask: ({ processes }) => ask(processes, NOK),
    expect: byKiosk,
    asked: 0,
    circuits: 'open',
  },
  {
    what: 'The bourse is back, busy as ever. They agree again: one request of all probes it.',
    before: async ({ exchanges }) => {
      await exchanges.start('bourse');
      await exchanges.tell('bourse', 'busy');
    },
    ask: (fleet) => askDuringProbe(fleet, NOK),
    expect: byKiosk,
    isProbed: true,
    asked: 1,
    circuits: 'closed',
  },
  {
    what: 'And all is well.',
    ask: ({ processes }) => ask(processes, NOK),
    expect: byBourse,
    asked: 3,
    circuits: 'closed',
  },
];
