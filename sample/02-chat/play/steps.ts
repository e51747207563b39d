import type { Expected, Step } from '../../stage/step.js';
import type { World } from '../../stage/world.js';
import type { ModelsService } from '../models/models.service.js';

const CHAT = '/chat?prompt=What+is+it';
const SUGGESTIONS = '/suggestions?about=it';

const SONATA = 'A fallback is a promise that somebody answers, and that you are told who it was.';
const SONATA_BEGUN = 'A fallback is ';
const ORBIT = 'A fallback answers in the place of another, as well as it can.';

/** What the browser must have got, besides the head. */
export interface ExpectedWords extends Expected {
  text?: string;
  marked?: number;
  brokeOff?: boolean;
}

const bySonata: ExpectedWords = { status: 200, by: 'sonata', source: 'candidate', text: SONATA };
const byOrbit: ExpectedWords = {
  status: 200,
  by: 'orbit',
  source: 'candidate',
  text: ORBIT,
  circuits: { sonata: 'open' },
};
const brokenOff: ExpectedWords = {
  ...bySonata,
  text: SONATA_BEGUN,
  brokeOff: true,
  circuits: { sonata: 'open' },
};

/** Waits until the next call will probe Sonata. */
const sonataHasCooled = (world: World<ModelsService>) => world.until('half-open', 'sonata');

/** A bad day of two models, step by step. A circuit opens at the first failure and cools for a second. */
export const STEPS: readonly Step<ModelsService, ExpectedWords>[] = [
  {
    what: 'Both models are up. Sonata answers.',
    request: CHAT,
    expect: bySonata,
  },
  {
    what: 'Sonata is killed (SIGKILL) while it thinks about its first word. Orbit answers, and nobody notices.',
    before: ({ upstreams }) => upstreams.tell('sonata', 'thinking'),
    request: CHAT,
    during: async ({ upstreams }) => {
      await upstreams.holds('sonata', 1);
      await upstreams.kill('sonata');
    },
    expect: byOrbit,
  },
  {
    what: 'Sonata is back, and its circuit has cooled: one call probes it, and the circuit closes.',
    before: async (world) => {
      await world.upstreams.start('sonata');
      await sonataHasCooled(world);
    },
    request: CHAT,
    expect: bySonata,
  },
  {
    what: 'Sonata says 200, its head, a ping, and then that it is overloaded. Orbit answers, and nobody notices.',
    before: ({ upstreams }) => upstreams.tell('sonata', 'overloaded'),
    request: CHAT,
    expect: byOrbit,
  },
  {
    what: 'Sonata is overloaded after three words. They cannot be taken back: the answer ends there, nothing is spliced.',
    before: async (world) => {
      await world.upstreams.tell('sonata', 'breaking');
      await sonataHasCooled(world);
    },
    request: CHAT,
    expect: brokenOff,
  },
  {
    what: 'Its circuit has taken note, so the next call goes to Orbit at once.',
    request: CHAT,
    expect: byOrbit,
  },
  {
    what: 'Sonata falls silent after three words. After a second the answer ends.',
    before: async (world) => {
      await world.upstreams.tell('sonata', 'stalling');
      await sonataHasCooled(world);
    },
    request: CHAT,
    expect: brokenOff,
  },
  {
    what: 'Sonata never says a word. After its second it is given up, and Orbit answers.',
    before: async (world) => {
      await world.upstreams.tell('sonata', 'thinking');
      await sonataHasCooled(world);
    },
    request: CHAT,
    expect: byOrbit,
  },
  {
    what: 'Orbit says 429 with Retry-After: 1, and Sonata is overloaded, still. Nobody is left: an honest 503.',
    before: async ({ upstreams }) => {
      await upstreams.tell('sonata', 'overloaded');
      await upstreams.tell('orbit', 'limited');
    },
    request: CHAT,
    expect: { status: 503, retryAfter: 1, circuits: { sonata: 'open', orbit: 'open' } },
  },
  {
    what: 'The suggestions know of it from the chat, since a model has one circuit. They have a substitute, marked.',
    request: SUGGESTIONS,
    expect: {
      status: 200,
      source: 'static',
      reason: 'cooling',
      text: 'What is it? What does it cost?',
      marked: 2,
      circuits: { sonata: 'open', orbit: 'open' },
    },
  },
  {
    what: 'Both are well again. Sonata is probed and answers; Orbit keeps its probe for later.',
    before: async (world) => {
      await world.upstreams.tell('sonata', 'well');
      await world.upstreams.tell('orbit', 'well');
      await world.until('half-open', 'sonata', 'orbit');
    },
    request: SUGGESTIONS,
    expect: { ...bySonata, circuits: { orbit: 'half-open' } },
  },
];
