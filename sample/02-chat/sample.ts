import type { Sample } from '../stage/sample.js';
import { AppModule } from './app.module.js';
import { MODELS, MOODS } from './models/models.service.js';
import { play } from './play/play.js';

export const CHAT: Sample = {
  title: '02 A chat',
  module: AppModule,
  play,
  tour: { ask: ['/chat?prompt=What+is+it', '/suggestions?about=it'], upstreams: MODELS, moods: MOODS },
};
