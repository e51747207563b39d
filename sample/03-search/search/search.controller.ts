import { Controller, Get, Query } from '@nestjs/common';
import type { Results } from '../engines/results.js';
import { SearchService } from './search.service.js';

@Controller('search')
export class SearchController {
  constructor(private readonly engines: SearchService) {}

  @Get()
  search(@Query('q') query = ''): Promise<Results> {
    return this.engines.search(query);
  }
}
