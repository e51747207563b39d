import { Module } from '@nestjs/common';
import { controllerOf } from '../../stage/upstreams-controller.js';
import { MOODS, UPSTREAMS, UpstreamsService } from './upstreams.service.js';

@Module({
  controllers: [controllerOf(UpstreamsService, { names: UPSTREAMS, moods: MOODS })],
  providers: [UpstreamsService],
  exports: [UpstreamsService],
})
export class UpstreamsModule {}
