import { Module } from '@nestjs/common';
import { controllerOf } from '../../stage/upstreams-controller.js';
import { EXCHANGES, ExchangesService, MOODS } from '../exchanges/exchanges.service.js';
import { FleetService, PROGRAM } from './fleet.service.js';
import { RedisController } from './redis.controller.js';

/** Not the application: what starts it three times, with all that it needs, and breaks that. */
@Module({
  controllers: [controllerOf(ExchangesService, { names: EXCHANGES, moods: MOODS }), RedisController],
  providers: [
    ExchangesService,
    FleetService,
    { provide: PROGRAM, useValue: new URL('../app/main.js', import.meta.url) },
  ],
})
export class FleetModule {}
