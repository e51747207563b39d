import type { Sample } from '../stage/sample.js';
import { AppModule } from './app.module.js';
import { play } from './play/play.js';
import { MOODS, UPSTREAMS } from './upstreams/upstreams.service.js';

export const OUTAGE: Sample = {
  title: '01 An outage',
  module: AppModule,
  play,
  tour: {
    ask: ['/recommendations/ada', '/geocode?address=Via+Po+1', '/health'],
    upstreams: UPSTREAMS,
    moods: MOODS,
  },
};
