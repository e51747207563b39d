import { Module } from '@nestjs/common';
import { UpstreamsController } from './upstreams.controller.js';
import { UpstreamsService } from './upstreams.service.js';

@Module({
  controllers: [UpstreamsController],
  providers: [UpstreamsService],
  exports: [UpstreamsService],
})
export class UpstreamsModule {}
