import { Module } from '@nestjs/common';
import { FallbackModule } from 'nestjs-fallback';
import { GeocoderModule } from './geocoder/geocoder.module.js';
import { HealthController } from './health.controller.js';
import { RecommendationsModule } from './recommendations/recommendations.module.js';
import { UpstreamsModule } from './upstreams/upstreams.module.js';

@Module({
  imports: [
    // 'always': every response names who answered, in the header Served-By.
    FallbackModule.forRoot({ http: { receipt: 'always' } }),
    UpstreamsModule,
    RecommendationsModule,
    GeocoderModule,
  ],
  controllers: [HealthController],
})
export class AppModule {}
