/** What a thousand users ask. The same every time: the seed decides. */
const SEED = 7;
const COUNT = 1_000;

/** How often a topic is asked about. It is the first word of a query, and the engines' shelves go by it. */
const SHARES = {
  /** Commons knows it */
  everyday: 0.55,
  /** Hamlet knows it */
  regional: 0.2,
  /** the paid engines know it */
  scholarly: 0.175,
  /** nobody has it */
  unwritten: 0.06,
  /** Ranger never comes to an end, Summit knows it */
  archived: 0.015,
} as const;

export type Topic = keyof typeof SHARES;

export interface Query {
  topic: Topic;
  text: string;
}

export const QUERIES: readonly Query[] = draw();

export function countOf(...topics: readonly Topic[]): number {
  return QUERIES.filter(({ topic }) => topics.includes(topic)).length;
}

function draw(): Query[] {
  const random = randomFrom(SEED);
  return Array.from({ length: COUNT }, (_, place) => {
    const topic = topicAt(random());
    return { topic, text: `${topic} question ${place}` };
  });
}

function topicAt(share: number): Topic {
  let end = 0;
  for (const [topic, size] of Object.entries(SHARES)) {
    end += size;
    if (share < end) return topic as Topic;
  }
  return 'everyday';
}

/** Mulberry32: numbers from 0 up to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
