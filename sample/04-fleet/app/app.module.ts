import { Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { FallbackModule } from 'nestjs-fallback';
import { RedisHealthStore, RedisValueStore } from 'nestjs-fallback/redis';
import { HealthController } from './health.controller.js';
import { RatesController } from './rates.controller.js';
import { RatesService } from './rates.service.js';

const client = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1');

/** Every process of the application is this; what one of them learns of a provider, all know. */
@Module({
  imports: [
    FallbackModule.forRoot({
      healthStore: new RedisHealthStore(client),
      valueStore: new RedisValueStore(client),
      // Patient with a Redis on the same busy machine; nobody waits for it while a candidate answers.
      storeTimeout: '1s',
      // Every response names who answered, in the header Served-By.
      http: { receipt: 'always' },
    }),
  ],
  controllers: [RatesController, HealthController],
  providers: [RatesService],
})
export class AppModule implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    client.disconnect();
  }
}
