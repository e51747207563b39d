import type { INestApplication } from '@nestjs/common';
import { playSteps } from '../../stage/play-steps.js';
import { printSummary } from '../../stage/summary.js';
import { World } from '../../stage/world.js';
import { UpstreamsService } from '../upstreams/upstreams.service.js';
import { get } from './client.js';
import { STEPS } from './steps.js';
import { figuresOf } from './summary.js';

/** Plays the outage against a listening application; gives how many things were not as expected. */
export async function play(app: INestApplication): Promise<number> {
  const world = new World(app, app.get(UpstreamsService));
  const base = await app.getUrl();
  const { played, wrong } = await playSteps({ steps: STEPS, ask: (path) => get(base, path) }, world);
  const answers = played.filter(({ request }) => request !== '/health').flatMap((step) => step.answers);
  return wrong + printSummary(figuresOf(answers, world));
}
