import { Injectable } from '@nestjs/common';
import { UpstreamError } from '../../stage/upstream-error.js';
import { EnginesService } from './engines.service.js';
import type { Cut, Engine, Results } from './results.js';

/** Free. Speaks HTTP properly, so nothing has to be explained: its 429 with Retry-After is understood as it is. */
@Injectable()
export class CommonsEngine implements Engine {
  constructor(private readonly engines: EnginesService) {}

  async run({ signal }: Cut, query: string): Promise<Results> {
    const response = await fetch(this.engines.url('commons', '/search', { q: query }), { signal: signal ?? null });
    if (!response.ok) throw new UpstreamError(response);
    return (await response.json()) as Results;
  }
}
