import { Injectable } from '@nestjs/common';
import { Upstreams } from '../../stage/upstreams.js';

export const MODELS = ['sonata', 'orbit'] as const;

/**
 * How a model behaves: `thinking` begins and never says a word, `overloaded` says so before its first word, `breaking`
 * after a few, `stalling` falls silent after a few, and `limited` has no quota left.
 */
export const MOODS = ['well', 'thinking', 'overloaded', 'breaking', 'stalling', 'limited'] as const;

@Injectable()
export class ModelsService extends Upstreams<(typeof MODELS)[number], (typeof MOODS)[number]> {
  constructor() {
    super(MODELS, new URL('./servers/', import.meta.url));
  }
}
