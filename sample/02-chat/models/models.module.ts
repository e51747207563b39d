import { Module } from '@nestjs/common';
import { controllerOf } from '../../stage/upstreams-controller.js';
import { MODELS, MOODS, ModelsService } from './models.service.js';
import { OrbitModel } from './orbit.model.js';
import { SonataModel } from './sonata.model.js';

@Module({
  controllers: [controllerOf(ModelsService, { names: MODELS, moods: MOODS })],
  providers: [ModelsService, SonataModel, OrbitModel],
  exports: [SonataModel, OrbitModel],
})
export class ModelsModule {}
