import { Injectable } from '@nestjs/common';
import type { AttemptContext, FallbackCandidate, OutcomeKind, Verdict } from 'nestjs-fallback';
import { fetchJson } from '../../upstreams/fetch-json.js';
import { UpstreamsService } from '../../upstreams/upstreams.service.js';
import type { Geocoding } from '../geocoding.js';

interface BeaconAnswer {
  status: 'OK' | 'OVER_QUERY_LIMIT' | 'UNKNOWN_ERROR';
  waitSeconds?: number;
  results?: { line1: string; town: string; at: [lat: number, lon: number] }[];
}

/** With what Beacon said, if it found nothing because of itself. */
interface BeaconGeocoding extends Geocoding {
  refusal?: BeaconAnswer;
}

/** Answers 200, always. Whether it worked stands in the body; `assess` reads it and says what it means. */
@Injectable()
export class BeaconProvider implements FallbackCandidate<[address: string], BeaconGeocoding> {
  constructor(private readonly upstreams: UpstreamsService) {}

  async run({ signal }: AttemptContext, address: string): Promise<BeaconGeocoding> {
    const answer = await fetchJson<BeaconAnswer>(this.upstreams.url('beacon', '/find', { q: address }), signal);
    if (answer.status !== 'OK') return { places: [], refusal: answer };
    return {
      places: (answer.results ?? []).map(({ line1, town, at: [lat, lon] }) => ({
        street: line1,
        city: town,
        lat,
        lon,
      })),
    };
  }

  assess({ refusal }: BeaconGeocoding): OutcomeKind | Verdict | undefined {
    if (refusal === undefined) return undefined;
    if (refusal.status !== 'OVER_QUERY_LIMIT') return 'transient';
    return { kind: 'rate-limited', retryAfter: (refusal.waitSeconds ?? 0) * 1_000 };
  }
}
