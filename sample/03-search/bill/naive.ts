/** What people write without a ladder. Each differs from it in one thing, and that thing has a price. */
import type { Engine, Results } from '../engines/results.js';
import { isNothing } from '../engines/results.js';

/** An engine and what it takes for a request, the cheapest first. */
export interface Priced {
  readonly engine: Engine;
  readonly cost: number;
}

interface Manner {
  /** ms that an engine may take */
  patience: number;
  /** how often an engine that is slow is asked */
  tries?: number;
  /** an empty answer that was paid for is believed */
  believesPaidZero?: boolean;
}

/** Asks everybody at once and takes the best answer. Nobody can be called off: a request that has arrived is paid for. */
export async function raceAll(
  engines: readonly Priced[],
  query: string,
  { patience }: Manner,
): Promise<Results | undefined> {
  const answers = await Promise.all(engines.map(({ engine }) => ask(engine, query, patience)));
  return answers.find((results) => results !== undefined && !isNothing(results));
}

/** Asks one after another. */
export async function oneByOne(
  engines: readonly Priced[],
  query: string,
  { patience, tries = 1, believesPaidZero = true }: Manner,
): Promise<Results | undefined> {
  for (const { engine, cost } of engines) {
    let results: Results | undefined;
    for (let left = tries; left > 0 && results === undefined; left--) results = await ask(engine, query, patience);
    if (results === undefined) continue;
    if (!isNothing(results) || (believesPaidZero && cost > 0)) return results;
  }
  return undefined;
}

async function ask(engine: Engine, query: string, patience: number): Promise<Results | undefined> {
  try {
    return await engine.run({ signal: AbortSignal.timeout(patience) }, query);
  } catch {
    return undefined;
  }
}
