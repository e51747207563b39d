import { Redis } from 'ioredis';
import { afterEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ChainHealthService, FallbackChain } from '../../lib/index.js';
import { RedisHealthStore } from '../../lib/redis/index.js';
import { boot, closeAll } from '../support/apps.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import { until } from './until.js';

describeWithRedis('two applications in one process with one RedisHealthStore', () => {
  afterEach(closeAll);

  it('the end of one leaves the other its ears', async () => {
    @Injectable()
    class Shop {
      @FallbackChain([() => Promise.resolve('backup')], { name: 'shop', timeout: '1s' })
      async find(): Promise<string> {
        return 'primary';
      }
    }
    const { url } = await startRedis();
    const client = new Redis(url);
    const healthStore = new RedisHealthStore(client);
    const start = (store: RedisHealthStore) => boot({ providers: [Shop], fallback: { healthStore: store } });
    const [one, two] = [await start(healthStore), await start(healthStore)];
    const other = new Redis(url);
    const third = await start(new RedisHealthStore(other));
    const listening = async (): Promise<boolean> => /sub=1/.test(String(await client.client('LIST')));
    await until(listening);
    await one.close();
    const stateIn = (app: typeof two) => app.get(ChainHealthService).snapshot('shop').candidates[0]!.state;
    third.get(ChainHealthService).isolate('shop', 'find');
    await until(async () => stateIn(two) === 'isolated');
    expect(stateIn(third)).toBe('isolated');
    // What happens while it is deaf, it learns when it hears again.
    await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    third.get(ChainHealthService).restore('shop', 'find');
    await until(async () => stateIn(two) === 'closed');
    await closeAll();
    await until(async () => !(await listening()));
    await Promise.all([client.quit(), other.quit()]);
  });
});
