import { Injectable } from '@nestjs/common';
import { AttemptSignal, Degraded, FallbackChain, from } from 'nestjs-fallback';
import type { Geocoding } from './geocoding.js';
import { AtlasProvider } from './providers/atlas.provider.js';
import { BeaconProvider } from './providers/beacon.provider.js';
import { CompassProvider } from './providers/compass.provider.js';

/**
 * Three geocoders, the best first. There is no substitute for an address: if nobody answers, the call fails, and the
 * client learns when to come back.
 */
@Injectable()
export class GeocoderService {
  constructor(private readonly atlas: AtlasProvider) {}

  @FallbackChain([from(BeaconProvider, { name: 'beacon' }), from(CompassProvider, { name: 'compass' })], {
    name: 'geocoder',
    primary: { name: 'atlas' },
    timeout: '1s',
    breaker: { threshold: 2, cooldown: '1s' },
  })
  @Degraded({ mark: 'property' })
  async locate(address: string, @AttemptSignal() signal?: AbortSignal): Promise<Geocoding> {
    return this.atlas.find(address, signal);
  }
}
