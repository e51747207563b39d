import { Module } from '@nestjs/common';
import { ModelsService } from './models.service.js';
import { OrbitModel } from './orbit.model.js';
import { SonataModel } from './sonata.model.js';

@Module({
  providers: [ModelsService, SonataModel, OrbitModel],
  exports: [SonataModel, OrbitModel],
})
export class ModelsModule {}
