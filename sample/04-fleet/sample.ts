import { lacksRedis } from '../stage/redis-server.js';
import type { Sample } from '../stage/sample.js';
import { EXCHANGES, MOODS } from './exchanges/exchanges.service.js';
import { FleetModule } from './fleet/fleet.module.js';
import { FleetService } from './fleet/fleet.service.js';
import { play } from './play/play.js';

export const FLEET: Sample = {
  title: '04 A fleet: three processes and one Redis',
  lacks: lacksRedis,
  module: FleetModule,
  play,
  tour: (app) => {
    const { processes } = app.get(FleetService);
    return {
      ask: ['/rates/NOK', '/health'].flatMap((path) => processes.map(({ url }) => url + path)),
      upstreams: EXCHANGES,
      moods: MOODS,
      controls: ['redis/kill', 'redis/start'],
    };
  },
};
