import type { INestApplication } from '@nestjs/common';
import { ChainHealthService } from 'nestjs-fallback';
import { playSteps } from '../../stage/play-steps.js';
import { printSummary } from '../../stage/summary.js';
import { World } from '../../stage/world.js';
import { drawUp } from '../bill/bill.js';
import { printBill } from '../bill/print-bill.js';
import { ENGINES, EnginesService } from '../engines/engines.service.js';
import { find } from './client.js';
import { STEPS } from './steps.js';
import { figuresOf } from './summary.js';

/** Plays a few searches against a listening application, then draws up the bill of a thousand. */
export async function play(app: INestApplication): Promise<number> {
  const engines = app.get(EnginesService);
  const base = await app.getUrl();
  const { wrong } = await playSteps(
    {
      steps: STEPS,
      ask: (path) => find(base, path),
      alsoChecks: ({ hits }, answer) => [['hits', hits, answer.hits]],
    },
    new World(app, engines),
  );

  await Promise.all(ENGINES.map((name) => engines.tell(name, 'well')));
  app.get(ChainHealthService).reset();
  const bill = await drawUp(app);
  printBill(bill);
  return wrong + printSummary(figuresOf(bill));
}
