import type { INestApplication } from '@nestjs/common';
import { get } from './client.js';
import type { Answer } from './client.js';
import { differences } from './step.js';
import { STEPS } from './steps.js';
import { figuresOf, printSummary } from './summary.js';
import { printHead, printStep, printWrong } from './table.js';
import { World } from './world.js';

/** Plays the outage against a listening application; gives how many things were not as expected. */
export async function play(app: INestApplication): Promise<number> {
  const world = new World(app);
  const base = await app.getUrl();
  const all: Answer[] = [];
  let wrong = 0;

  printHead();
  for (const [place, step] of STEPS.entries()) {
    await step.before?.(world);
    const sent = Array.from({ length: step.times ?? 1 }, () => get(base, step.request));
    const [answers] = await Promise.all([Promise.all(sent), step.during?.(world)]);

    printStep(place + 1, step, answers[0]!, world.candidates());
    const faults = new Set(answers.flatMap((answer) => differences(step.expect, answer, world)));
    for (const fault of faults) printWrong(fault);
    wrong += faults.size;
    if (step.request !== '/health') all.push(...answers);
  }
  return wrong + printSummary(figuresOf(all, world));
}
