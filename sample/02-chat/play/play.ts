import type { INestApplication } from '@nestjs/common';
import { playSteps } from '../../stage/play-steps.js';
import type { Check } from '../../stage/step.js';
import { printSummary } from '../../stage/summary.js';
import { World } from '../../stage/world.js';
import { ModelsService } from '../models/models.service.js';
import { listen } from './client.js';
import type { Spoken } from './client.js';
import { STEPS } from './steps.js';
import type { ExpectedWords } from './steps.js';
import { figuresOf } from './summary.js';

/** Plays the bad day against a listening application; gives how many things were not as expected. */
export async function play(app: INestApplication): Promise<number> {
  const world = new World(app, app.get(ModelsService));
  const base = await app.getUrl();
  const script = { steps: STEPS, ask: (path: string) => listen(base, path), alsoChecks, alsoShows };
  const { played, wrong } = await playSteps(script, world);
  return wrong + printSummary(figuresOf(played.flatMap(({ answers }) => answers)));
}

function alsoChecks({ text = '', marked = 0, brokeOff = false }: ExpectedWords, answer: Spoken): Check[] {
  return [
    ['text', text, answer.text],
    ['marked events', marked, answer.marked],
    ['ended in the middle', brokeOff, answer.brokeOff],
  ];
}

function alsoShows({ text, brokeOff }: Spoken): string[] {
  return text === '' ? [] : [`"${text}"${brokeOff ? ' event: error' : ''}`];
}
