import { Injectable } from '@nestjs/common';
import type { AttemptContext, FallbackCandidate, OutcomeKind } from 'nestjs-fallback';
import { fetchJson } from '../../upstreams/fetch-json.js';
import { UpstreamsService } from '../../upstreams/upstreams.service.js';
import type { Geocoding } from '../geocoding.js';

/** Knows cities and no streets: its answers are thin, and served only if nobody does better. */
@Injectable()
export class CompassProvider implements FallbackCandidate<[address: string], Geocoding> {
  constructor(private readonly upstreams: UpstreamsService) {}

  async run({ signal }: AttemptContext, address: string): Promise<Geocoding> {
    const line = await fetchJson<string>(this.upstreams.url('compass', '/city', { near: address }), signal);
    const [city = '', lat, lon] = line.split(';');
    return { places: [{ city, lat: Number(lat), lon: Number(lon) }] };
  }

  assess({ places }: Geocoding): OutcomeKind | undefined {
    return places.every(({ street }) => street === undefined) ? 'thin' : undefined;
  }
}
