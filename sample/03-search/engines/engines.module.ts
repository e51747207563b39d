import { Module } from '@nestjs/common';
import { controllerOf } from '../../stage/upstreams-controller.js';
import { CommonsEngine } from './commons.engine.js';
import { ENGINES, EnginesService, MOODS } from './engines.service.js';
import { HamletEngine } from './hamlet.engine.js';
import { RangerEngine } from './ranger.engine.js';
import { SummitEngine } from './summit.engine.js';

@Module({
  controllers: [controllerOf(EnginesService, { names: ENGINES, moods: MOODS })],
  providers: [EnginesService, CommonsEngine, HamletEngine, RangerEngine, SummitEngine],
  exports: [CommonsEngine, HamletEngine, RangerEngine, SummitEngine],
})
export class EnginesModule {}
