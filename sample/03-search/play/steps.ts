import type { Expected, Step } from '../../stage/step.js';
import type { EnginesService } from '../engines/engines.service.js';

export interface ExpectedHits extends Expected {
  hits: number;
}

const EVERYDAY = '/search?q=everyday+bread';
const REGIONAL = '/search?q=regional+bread';
const SCHOLARLY = '/search?q=scholarly+bread';
const UNWRITTEN = '/search?q=unwritten+book';

/** Who is asked, and who is paid. Only what an engine asks for opens its circuit here. */
export const STEPS: readonly Step<EnginesService, ExpectedHits>[] = [
  {
    what: 'Commons is free and knows it.',
    request: EVERYDAY,
    expect: { status: 200, by: 'commons', source: 'candidate', hits: 1 },
  },
  {
    what: 'Commons finds nothing. That was free, so Hamlet is asked.',
    request: REGIONAL,
    expect: { status: 200, by: 'hamlet', source: 'candidate', hits: 1 },
  },
  {
    what: 'Nothing for free: Ranger is paid, and knows it.',
    request: SCHOLARLY,
    expect: { status: 200, by: 'ranger', source: 'candidate', hits: 1 },
  },
  {
    what: 'Ranger finds nothing, either. That was paid for, so it is believed: Summit is not asked.',
    request: UNWRITTEN,
    expect: { status: 200, by: 'ranger', source: 'candidate', hits: 0 },
  },
  {
    what: 'Commons says 429. Hamlet says 200 with "over query limit" inside. Both rest; Ranger answers.',
    before: async ({ upstreams }) => {
      await upstreams.tell('commons', 'limited');
      await upstreams.tell('hamlet', 'limited');
    },
    request: EVERYDAY,
    expect: {
      status: 200,
      by: 'ranger',
      source: 'candidate',
      hits: 1,
      circuits: { commons: 'open', hamlet: 'open' },
    },
  },
  {
    what: 'Ranger says 403, which is its word for a quota that is used up. It rests, too; Summit answers.',
    before: ({ upstreams }) => upstreams.tell('ranger', 'limited'),
    request: SCHOLARLY,
    expect: {
      status: 200,
      by: 'summit',
      source: 'candidate',
      hits: 1,
      circuits: { commons: 'open', hamlet: 'open', ranger: 'open' },
    },
  },
];
