import { from } from 'nestjs-fallback';
import { OrbitModel } from '../models/orbit.model.js';
import type { Token } from '../models/token.js';

/** Who answers when Sonata does not. A `healthKey` is one circuit for all chains: what one has learnt, the others know. */
export const OTHER_MODELS = [from(OrbitModel, 'answer', { name: 'orbit', healthKey: 'orbit' })] as const;

export const MODEL_LADDER = {
  primary: { name: 'sonata', healthKey: 'sonata' },
  /** to the first word */
  timeout: '1s',
  /** between two words; a ping is a sign of life */
  idleTimeout: '1s',
  breaker: { threshold: 1, cooldown: '1s', factor: 1 },
  /** What comes before the first word is held back: until then another model may answer, and nobody notices. */
  commitWhen: ({ data }: Token) => data !== undefined,
  /** A model that has said 200 can only say in band that it fails. */
  errorIn: ({ error }: Token) => error,
} as const;
