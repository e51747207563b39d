import type { INestApplicationContext } from '@nestjs/common';
import { FallbackService } from 'nestjs-fallback';
import { CommonsEngine } from '../engines/commons.engine.js';
import { ENGINES, EnginesService, PRICES } from '../engines/engines.service.js';
import type { EngineName } from '../engines/engines.service.js';
import { HamletEngine } from '../engines/hamlet.engine.js';
import { RangerEngine } from '../engines/ranger.engine.js';
import { isNothing } from '../engines/results.js';
import type { Results } from '../engines/results.js';
import { SummitEngine } from '../engines/summit.engine.js';
import { PATIENCE, SearchService } from '../search/search.service.js';
import { oneByOne, raceAll } from './naive.js';
import { QUERIES } from './queries.js';

/** What one way of asking spent on all queries, by the books of the engines. */
interface Line {
  strategy: string;
  /** queries with results */
  answered: number;
  /** requests that each engine charged */
  charged: Readonly<Record<EngineName, number>>;
  /** mills: tenths of a cent */
  spent: number;
}

export interface Bill {
  lines: readonly Line[];
  /** what our own receipts say that the ladder spent, in mills */
  byReceipts: number;
}

/** How many queries are on their way at once; few enough that only an engine is ever slow, not this machine. */
const AT_ONCE = 8;

type Ask = (query: string) => Promise<Results | undefined>;

/** Asks everything once with the ladder and once in each naive way. */
export async function drawUp(app: INestApplicationContext): Promise<Bill> {
  const search = app.get(SearchService);
  const fallback = app.get(FallbackService);
  const engines = [
    { engine: app.get(CommonsEngine, { strict: false }), cost: PRICES.commons },
    { engine: app.get(HamletEngine, { strict: false }), cost: PRICES.hamlet },
    { engine: app.get(RangerEngine, { strict: false }), cost: PRICES.ranger },
    { engine: app.get(SummitEngine, { strict: false }), cost: PRICES.summit },
  ];
  const patience = PATIENCE;
  let cost = 0;
  const ladder: Ask = async (query) => {
    const { value, receipt } = await fallback.withReceipt(() => search.search(query));
    cost += receipt?.cost ?? 0;
    return value;
  };
  const ways: Readonly<Record<string, Ask>> = {
    'the ladder': ladder,
    'race all': (query) => raceAll(engines, query, { patience }),
    'retry the slow': (query) => oneByOne(engines, query, { patience, tries: 2 }),
    'escalate past a paid zero': (query) => oneByOne(engines, query, { patience, believesPaidZero: false }),
  };

  const lines: Line[] = [];
  for (const [strategy, ask] of Object.entries(ways)) lines.push(await lineOf(strategy, ask, app.get(EnginesService)));
  return { lines, byReceipts: mills(cost) };
}

async function lineOf(strategy: string, ask: Ask, books: EnginesService): Promise<Line> {
  const before = await readBooks(books);
  let answered = 0;
  const queries = QUERIES.values();
  const worker = async () => {
    for (const { text } of queries) {
      const results = await ask(text);
      if (results !== undefined && !isNothing(results)) answered++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const after = await readBooks(books);

  const charged = { ...after };
  for (const name of ENGINES) charged[name] -= before[name];
  const spent = mills(ENGINES.reduce((sum, name) => sum + charged[name] * PRICES[name], 0));
  return { strategy, answered, charged, spent };
}

async function readBooks(books: EnginesService): Promise<Record<EngineName, number>> {
  const entries = ENGINES.map(async (name) => [name, await books.charged(name)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Record<EngineName, number>;
}

function mills(dollars: number): number {
  return Math.round(dollars * 1_000);
}
