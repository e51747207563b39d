import { Injectable } from '@nestjs/common';
import { EnginesService } from './engines.service.js';
import { KeyedEngine } from './keyed.engine.js';

/** A cent per request, and knows what Ranger knows. */
@Injectable()
export class SummitEngine extends KeyedEngine {
  constructor(engines: EnginesService) {
    super(engines, 'summit');
  }
}
