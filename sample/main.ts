import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './01-outage/app.module.js';
import { play } from './01-outage/play/play.js';

/** `npm start` plays an outage and checks what comes of it; `npm start -- --stay` leaves it to you. */
const isStaying = process.argv.includes('--stay');

if (isStaying) {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3_000, '127.0.0.1');
  printTour(await app.getUrl());
} else {
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  process.exitCode = await playAndClose(app);
}

async function playAndClose(app: INestApplication): Promise<number> {
  try {
    const started = Date.now();
    const wrong = await play(app);
    const took = ((Date.now() - started) / 1_000).toFixed(1);
    console.log(
      wrong === 0 ? `\nAll as expected, in ${took} s.` : `\nFAILED: ${wrong} not as expected, see WRONG above.`,
    );
    return wrong === 0 ? 0 : 1;
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
