import { Injectable } from '@nestjs/common';
import { Upstreams } from '../../stage/upstreams.js';

export const UPSTREAMS = ['model', 'atlas', 'beacon', 'compass'] as const;

/** How an upstream behaves; `limited` means that its quota is used up. */
export const MOODS = ['well', 'limited', 'hanging'] as const;

@Injectable()
export class UpstreamsService extends Upstreams<(typeof UPSTREAMS)[number], (typeof MOODS)[number]> {
  constructor() {
    super(UPSTREAMS, new URL('./servers/', import.meta.url));
  }
}
