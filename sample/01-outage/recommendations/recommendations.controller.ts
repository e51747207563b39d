import { Controller, Get, Param } from '@nestjs/common';
import type { Served } from 'nestjs-fallback';
import type { Pick } from './popular-picks.js';
import { RecommendationsService } from './recommendations.service.js';

@Controller('recommendations')
export class RecommendationsController {
  constructor(private readonly recommendations: RecommendationsService) {}

  @Get(':user')
  picks(@Param('user') user: string): Promise<Served<readonly Pick[]>> {
    return this.recommendations.picksFor(user);
  }
}
