import { Injectable } from '@nestjs/common';
import { EnginesService } from './engines.service.js';
import { KeyedEngine } from './keyed.engine.js';

/** Half a cent per request. It is slow about what is archived, and charges for it all the same. */
@Injectable()
export class RangerEngine extends KeyedEngine {
  constructor(engines: EnginesService) {
    super(engines, 'ranger');
  }
}
