/** A store that hangs or tells of errors by events, and whose user listens to none. Says what its callers got. */
import { EventEmitter } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Degraded, FallbackModule } from 'nestjs-fallback';
import type { FallbackEvent, ValueStore } from 'nestjs-fallback';

const [, , how] = process.argv;
const events: string[] = [];

class Store extends EventEmitter implements ValueStore {
  get(): unknown {
    return this.fail();
  }
  set(): unknown {
    return this.fail();
  }
  delete(): unknown {
    return this.fail();
  }
  private fail(): unknown {
    if (how === 'hangs') return new Promise(() => {});
    setTimeout(() => this.emit('error', new Error('down')), 10);
    return undefined;
  }
}

@Injectable()
class Quotes {
  isUp = true;

  @Degraded({ lastKnownGood: { maxAge: '1h' }, substitute: 'static', mark: 'receipt' })
  async quote(): Promise<string> {
    if (!this.isUp) throw new Error('down');
    return 'v1';
  }
}

function hear({ name, operation }: FallbackEvent): void {
  if (name.startsWith('store.')) events.push(`${name} ${String(operation)}`);
}

@Module({
  imports: [FallbackModule.forRoot({ valueStore: new Store(), storeTimeout: 100, observers: [hear], logger: false })],
  providers: [Quotes],
})
class App {}

const app = await NestFactory.createApplicationContext(App, { logger: false });
const quotes = app.get(Quotes);
const healthy = await quotes.quote();
// What may keep the process alive after a healthy call: nothing.
const left = process.getActiveResourcesInfo().filter((name) => name === 'Timeout' && how === 'hangs');
await sleep(150);
quotes.isUp = false;
const failing = await quotes.quote();
await sleep(50);
writeSync(1, JSON.stringify({ healthy, failing, events, left }));
