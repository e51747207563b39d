import type { INestApplication } from '@nestjs/common';
import { printSummary } from '../../stage/summary.js';
import { printHead, printWhat } from '../../stage/table.js';
import { FleetService } from '../fleet/fleet.service.js';
import type { FleetAnswer } from './ask.js';
import { playStep } from './play-step.js';
import { STEPS } from './steps.js';
import { figuresOf } from './summary.js';

/** Plays the story; gives how many things were not as expected. */
export async function play(app: INestApplication): Promise<number> {
  const fleet = app.get(FleetService);
  const seen: FleetAnswer[] = [];
  let wrong = 0;

  printHead();
  for (const [place, step] of STEPS.entries()) {
    printWhat(place + 1, step.what);
    const { answers, faults } = await playStep(step, fleet);
    seen.push(...answers);
    wrong += faults;
  }
  return wrong + printSummary(await figuresOf(seen, fleet));
}
