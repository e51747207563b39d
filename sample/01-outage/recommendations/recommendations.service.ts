import { Injectable } from '@nestjs/common';
import { AttemptSignal, Degraded, FallbackChain, served } from 'nestjs-fallback';
import type { Served } from 'nestjs-fallback';
import { fetchJson } from '../upstreams/fetch-json.js';
import { UpstreamsService } from '../upstreams/upstreams.service.js';
import { POPULAR_PICKS } from './popular-picks.js';
import type { Pick } from './popular-picks.js';

/**
 * One model and nobody beside it. When it does not answer, the user gets her own last picks, at most 15 minutes old;
 * if there are none, what is popular. The envelope `Served` says which.
 */
@Injectable()
export class RecommendationsService {
  constructor(private readonly upstreams: UpstreamsService) {}

  @FallbackChain([], {
    name: 'recommendations',
    primary: { name: 'model' },
    timeout: '1s',
    breaker: { threshold: 2, cooldown: '1s' },
  })
  @Degraded({ lastKnownGood: { maxAge: '15m' }, substitute: POPULAR_PICKS, mark: 'served' })
  async picksFor(user: string, @AttemptSignal() signal?: AbortSignal): Promise<Served<readonly Pick[]>> {
    return served(await fetchJson<Pick[]>(this.upstreams.url('model', '/picks', { user }), signal));
  }
}
