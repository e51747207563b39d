import { ADVICE } from './advice.js';
import { ANSWERS } from './answers.js';
import { CHANGES } from './changes.js';
import { CONTROL } from './control.js';
import { OPENING } from './opening.js';
import { PERIODS } from './periods.js';
import { PROBES } from './probes.js';
import type { Entry } from './breaking.js';

/** Each breaks one rule. Those with an ellipsis break others with it, since what they do is wrong there too. */
export const BROKEN: readonly Entry[] = [
  ...OPENING,
  ...PROBES,
  ...PERIODS,
  ...ADVICE,
  ...CONTROL,
  ...CHANGES,
  ...ANSWERS,
];
