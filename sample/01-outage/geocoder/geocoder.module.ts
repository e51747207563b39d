import { Module } from '@nestjs/common';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { GeocoderController } from './geocoder.controller.js';
import { GeocoderService } from './geocoder.service.js';
import { AtlasProvider } from './providers/atlas.provider.js';
import { BeaconProvider } from './providers/beacon.provider.js';
import { CompassProvider } from './providers/compass.provider.js';

@Module({
  imports: [UpstreamsModule],
  controllers: [GeocoderController],
  providers: [GeocoderService, AtlasProvider, BeaconProvider, CompassProvider],
})
export class GeocoderModule {}
