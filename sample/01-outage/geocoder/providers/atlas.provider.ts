import { Injectable, NotFoundException } from '@nestjs/common';
import { UpstreamError } from '../../../stage/upstream-error.js';
import { fetchJson } from '../../upstreams/fetch-json.js';
import { UpstreamsService } from '../../upstreams/upstreams.service.js';
import type { Geocoding, Place } from '../geocoding.js';

/** Speaks HTTP properly, so nothing has to be explained: its 429 with Retry-After is understood as it is. */
@Injectable()
export class AtlasProvider {
  constructor(private readonly upstreams: UpstreamsService) {}

  async find(address: string, signal?: AbortSignal): Promise<Geocoding> {
    try {
      return { places: [await fetchJson<Place>(this.upstreams.url('atlas', '/v1', { address }), signal)] };
    } catch (error) {
      // An answer, not an outage: no other geocoder is asked.
      if (error instanceof UpstreamError && error.status === 404) throw new NotFoundException('No such address');
      throw error;
    }
  }
}
