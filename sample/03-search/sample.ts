import type { Sample } from '../stage/sample.js';
import { AppModule } from './app.module.js';
import { ENGINES, MOODS } from './engines/engines.service.js';
import { play } from './play/play.js';

export const SEARCH: Sample = {
  title: '03 A web search, and what it costs',
  module: AppModule,
  play,
  tour: { ask: ['/search?q=everyday+bread', '/search?q=unwritten+book'], upstreams: ENGINES, moods: MOODS },
};
