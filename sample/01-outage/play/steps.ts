import type { Step } from '../../stage/step.js';
import type { UpstreamsService } from '../upstreams/upstreams.service.js';

const ADA = '/recommendations/ada';
const BOB = '/recommendations/bob';
const ADDRESS = '/geocode?address=Via+Po+1';

/** The outage, step by step. Circuits open at the second failure in a row and cool for a second. */
export const STEPS: readonly Step<UpstreamsService>[] = [
  {
    what: 'Everything is up.',
    request: ADA,
    expect: { status: 200, by: 'model', source: 'candidate' },
  },
  {
    what: 'The model hangs. After its second the attempt is given up, and Ada gets her last picks.',
    before: ({ upstreams }) => upstreams.tell('model', 'hanging'),
    request: ADA,
    expect: { status: 200, source: 'last-known-good', reason: 'timeout' },
  },
  {
    what: 'The model is killed (SIGKILL) while it holds five requests. All five are answered; the circuit opens.',
    request: ADA,
    times: 5,
    during: async ({ upstreams }) => {
      await upstreams.holds('model', 5);
      await upstreams.kill('model');
    },
    expect: { status: 200, source: 'last-known-good', reason: 'transient', circuits: { model: 'open' } },
  },
  {
    what: 'While the circuit is open the model is not even asked.',
    request: ADA,
    expect: { status: 200, source: 'last-known-good', reason: 'cooling', circuits: { model: 'open' } },
  },
  {
    what: 'Bob was never here before: no last picks, so he gets what is popular.',
    request: BOB,
    expect: { status: 200, source: 'static', reason: 'cooling', circuits: { model: 'open' } },
  },
  {
    what: 'The model is back. When its circuit has cooled, one request probes it, and the circuit closes.',
    before: async (world) => {
      await world.upstreams.start('model');
      await world.until('half-open', 'model');
    },
    request: ADA,
    expect: { status: 200, by: 'model', source: 'candidate' },
  },
  {
    what: 'Three geocoders, the first answers.',
    request: ADDRESS,
    expect: { status: 200, by: 'atlas', source: 'candidate' },
  },
  {
    what: 'Atlas says 429 with Retry-After: 1. It rests for that second; Beacon answers in full.',
    before: ({ upstreams }) => upstreams.tell('atlas', 'limited'),
    request: ADDRESS,
    expect: { status: 200, by: 'beacon', source: 'candidate', circuits: { atlas: 'open' } },
  },
  {
    what: 'Beacon says 200 with "over query limit" inside. Compass knows the city only: thin, better than nothing.',
    before: ({ upstreams }) => upstreams.tell('beacon', 'limited'),
    request: ADDRESS,
    expect: {
      status: 200,
      by: 'compass',
      source: 'candidate',
      reason: 'thin',
      circuits: { atlas: 'open', beacon: 'open' },
    },
  },
  {
    what: 'Both have their quota back. Atlas is first in the ladder, so it is probed and answers.',
    before: async (world) => {
      await world.upstreams.tell('atlas', 'well');
      await world.upstreams.tell('beacon', 'well');
      await world.until('half-open', 'atlas', 'beacon');
    },
    request: ADDRESS,
    expect: { status: 200, by: 'atlas', source: 'candidate', circuits: { beacon: 'half-open' } },
  },
  {
    what: 'An address that does not exist is an answer, not an outage: nobody else is asked.',
    request: '/geocode?address=nowhere',
    expect: { status: 404, circuits: { beacon: 'half-open' } },
  },
  {
    what: 'All three are killed. Beacon fails its probe, so it cools longer. An honest 503.',
    before: ({ upstreams }) => upstreams.kill('atlas', 'beacon', 'compass'),
    request: ADDRESS,
    expect: { status: 503, retryAfter: 2, circuits: { beacon: 'open' } },
  },
  {
    what: 'Once more, and all three circuits are open.',
    request: ADDRESS,
    expect: { status: 503, retryAfter: 1, circuits: { atlas: 'open', beacon: 'open', compass: 'open' } },
  },
  {
    what: 'The health endpoint says that one chain cannot answer.',
    request: '/health',
    expect: { status: 503, circuits: { atlas: 'open', beacon: 'open', compass: 'open' } },
  },
  {
    what: 'All three are back. The first one is probed and answers; the others keep their probe for later.',
    before: async (world) => {
      await Promise.all([
        world.upstreams.start('atlas'),
        world.upstreams.start('beacon'),
        world.upstreams.start('compass'),
      ]);
      await world.until('half-open', 'atlas', 'beacon', 'compass');
    },
    request: ADDRESS,
    expect: { status: 200, by: 'atlas', source: 'candidate', circuits: { beacon: 'half-open', compass: 'half-open' } },
  },
  {
    what: 'And the health endpoint is content.',
    request: '/health',
    expect: { status: 200, circuits: { beacon: 'half-open', compass: 'half-open' } },
  },
];
