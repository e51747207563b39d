/** The properties, over random programs. */
import * as fc from 'fast-check';
import { difference, playBoth } from './agreement.js';
import { programs } from './arbitrary.js';
import { print } from './print.js';
import type { Program } from './program.js';

export interface Run {
  readonly seed?: number;
  readonly path?: string;
  readonly programs: number;
}

/** How many programs were tied, and so proved nothing. */
export const ties = { count: 0 };

async function agree(program: Program): Promise<void> {
  const played = await playBoth(program);
  if (played === null) {
    ties.count++;
    return;
  }
  const differs = difference(program, played.model, played.engine);
  if (differs !== undefined) throw new Error(`${print(program)}\n\nThey differ: ${differs}`);
}

export async function checkAgreement({ seed, path, programs: numRuns }: Run): Promise<fc.RunDetails<[Program]>> {
  return fc.check(fc.asyncProperty(programs, agree), {
    numRuns,
    ...(seed !== undefined && { seed }),
    ...(path !== undefined && { path }),
  });
}
