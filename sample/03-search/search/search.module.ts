import { Module } from '@nestjs/common';
import { EnginesModule } from '../engines/engines.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({ imports: [EnginesModule], controllers: [SearchController], providers: [SearchService] })
export class SearchModule {}
