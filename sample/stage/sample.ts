import type { INestApplication, Type } from '@nestjs/common';
import type { Tour } from './tour.js';

/** One application of the samples, and what `npm start` does with it. */
export interface Sample {
  title: string;
  /** what this machine has not and the sample needs, and how to get it; undefined if all is there */
  lacks?: () => string | undefined;
  module: Type;
  /** gives how many things were not as expected */
  play: (app: INestApplication) => Promise<number>;
  tour: Tour | ((app: INestApplication) => Tour);
}
