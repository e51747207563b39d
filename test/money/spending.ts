/** Chains with a budget of 2 a minute. */
import type { ChainOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Ladder, Setup } from '../support/ladder.js';
import { gives } from '../support/plays.js';

const budget = { limit: 2, per: '1m' } as const;
export const paid = { name: 'paid', plays: gives('paid'), cost: 1 };
export const free = { name: 'free', plays: gives('free'), cost: 0 };
export const untiered = { name: 'untiered', plays: gives('untiered') };

export const spending = (
  rungs: Setup['rungs'],
  options: ChainOptions = {},
  more: Omit<Setup, 'rungs' | 'options'> = {},
) => open({ rungs, options: { budget, ...options }, ...more });
/** What so many calls gave, one after another. */
export async function serve(ladder: Ladder, times: number): Promise<unknown[]> {
  const given: unknown[] = [];
  for (let nth = 0; nth < times; nth++) {
    const { outcome } = await ladder.call();
    given.push('value' in outcome! ? outcome.value : (outcome as { error: { code?: string } }).error.code);
  }
  return given;
}
