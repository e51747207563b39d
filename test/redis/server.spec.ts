import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describeWithRedis, startRedis } from '../support/redis-server.js';

describeWithRedis('a real Redis', () => {
  it('starts, restarts empty on its port, stops and goes on', async () => {
    const server = await startRedis();
    const client = new Redis(server.url, { retryStrategy: () => 10 });
    client.on('error', () => {});
    await client.set('a', '1');
    server.stop();
    const answer = client.get('a');
    const first = await Promise.race([answer, pause(50, 'nothing')]);
    expect(first).toBe('nothing');
    server.resume();
    expect(await answer).toBe('1');
    await server.restart();
    expect(await client.get('a')).toBeNull();
    client.disconnect();
    await server.close();
  });

  it('takes options', async () => {
    const server = await startRedis('--requirepass', 'secret');
    const client = new Redis(server.url, { password: 'secret' });
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  });
});
