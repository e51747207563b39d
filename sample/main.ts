import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { OUTAGE } from './01-outage/sample.js';
import { CHAT } from './02-chat/sample.js';
import { SEARCH } from './03-search/sample.js';
import { FLEET } from './04-fleet/sample.js';
import type { Sample } from './stage/sample.js';
import { printTour } from './stage/tour.js';

/** `npm start` plays the samples and checks what comes of them; `npm start -- --stay` leaves them to you. */
const SAMPLES = [OUTAGE, CHAT, SEARCH, FLEET];
const FIRST_PORT = Number(process.env['PORT'] ?? 3_000);
/** There, what is missing is a failure. */
const IS_CI = process.env['CI'] === 'true';

if (process.argv.includes('--stay')) {
  for (const [place, sample] of SAMPLES.entries()) await stay(sample, FIRST_PORT + place);
  console.log('\nCtrl+C ends them all.');
} else {
  const started = Date.now();
  let wrong = 0;
  for (const sample of SAMPLES) wrong += await playAndClose(sample);
  const took = ((Date.now() - started) / 1_000).toFixed(1);
  console.log(
    wrong === 0 ? `\nAll as expected, in ${took} s.` : `\nFAILED: ${wrong} not as expected, see WRONG above.`,
  );
  process.exitCode = wrong === 0 ? 0 : 1;
}

async function stay({ title, lacks, module, tour }: Sample, port: number): Promise<void> {
  const missing = lacks?.();
  if (missing !== undefined) return console.log(`\n${title}\nNOT STARTED: ${missing}`);
  const app = await NestFactory.create(module, { logger: ['warn', 'error'] });
  app.enableShutdownHooks();
  await app.listen(port, '127.0.0.1');
  console.log(`\n${title}`);
  printTour(await app.getUrl(), typeof tour === 'function' ? tour(app) : tour);
}

async function playAndClose({ title, lacks, module, play }: Sample): Promise<number> {
  console.log(`\n${title}`);
  const missing = lacks?.();
  if (missing !== undefined) {
    console.log(`${IS_CI ? 'WRONG, not played' : 'NOT PLAYED'}: ${missing}`);
    return IS_CI ? 1 : 0;
  }
  const app = await NestFactory.create(module, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  try {
    return await play(app);
  } finally {
    await app.close();
  }
}
