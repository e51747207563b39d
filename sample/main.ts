import 'reflect-metadata';
import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule as Outage } from './01-outage/app.module.js';
import { play as playOutage } from './01-outage/play/play.js';
import { AppModule as Chat } from './02-chat/app.module.js';
import { play as playChat } from './02-chat/play/play.js';

/** `npm start` plays the samples and checks what comes of them; `npm start -- --stay` leaves the first one to you. */
const isStaying = process.argv.includes('--stay');

if (isStaying) {
  const app = await NestFactory.create(Outage);
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3_000, '127.0.0.1');
  printTour(await app.getUrl());
} else {
  const started = Date.now();
  let wrong = await playAndClose('01 An outage', Outage, playOutage);
  wrong += await playAndClose('02 A chat', Chat, playChat);
  const took = ((Date.now() - started) / 1_000).toFixed(1);
  console.log(
    wrong === 0 ? `\nAll as expected, in ${took} s.` : `\nFAILED: ${wrong} not as expected, see WRONG above.`,
  );
  process.exitCode = wrong === 0 ? 0 : 1;
}

async function playAndClose(
  title: string,
  module: Type,
  play: (app: INestApplication) => Promise<number>,
): Promise<number> {
  console.log(`\n${title}`);
  const app = await NestFactory.create(module, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  try {
    return await play(app);
  } finally {
    await app.close();
  }
}

function printTour(url: string): void {
  console.log(`
Ask:                curl -i ${url}/recommendations/ada
                    curl -i '${url}/geocode?address=Via+Po+1'
                    curl -i ${url}/health
Break and mend:     curl -X POST ${url}/upstreams/model/kill
                    curl -X POST ${url}/upstreams/model/start
                    curl -X POST ${url}/upstreams/model/mood/hanging   (well, limited, hanging)
The upstreams are:  model, atlas, beacon, compass. Ctrl+C ends them all.
`);
}
