/** What may be wrong with a Redis: everybody who asks is told so or waits, nothing else happens, and it heals. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { RedisHealthStore, RedisValueStore } from '../../lib/redis/index.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';
import { clientKinds } from './clients.js';
import type { Opened } from './clients.js';
import { OPENING } from './outcomes.js';
import { until } from './until.js';

describeWithRedis('a Redis that is', () => {
  describe.each(clientKinds)('asked with $name and', ({ open }) => {
    const loose: unknown[] = [];
    const note = (error: unknown): void => void loose.push(error);
    const closing: (() => unknown)[] = [];

    const start = async (...args: string[]): Promise<RedisServer> => {
      // From here on: a client whose error nobody hears ends a process at any time.
      process.on('unhandledRejection', note).on('uncaughtException', note);
      const server = await startRedis(...args);
      closing.push(() => server.close());
      return server;
    };
    const use = async (server: RedisServer, options: Parameters<typeof open>[1] = {}) => {
      const opened: Opened = open(server.url, options);
      const health = new RedisHealthStore(opened.client);
      const values = new RedisValueStore(opened.client);
      closing.push(
        () => opened.close(),
        () => health.disconnect(),
      );
      await opened.ready;
      const all = (key = 'a') => [
        health.admit(key, { lease: 1_000 }),
        health.record(key, OPENING),
        health.control(key, 'reset'),
        values.get(key),
        values.set(key, 'x', 60_000),
        values.delete(key),
      ];
      const works = async () => (await Promise.allSettled(all())).every(({ status }) => status === 'fulfilled');
      return { health, values, all, works };
    };
    const say = async (server: RedisServer, ...command: string[]): Promise<unknown> => {
      const admin = new Redis(server.url);
      const answer = await admin.call(command[0]!, command.slice(1));
      admin.disconnect();
      return answer;
    };
    const rejections = async (all: Promise<unknown>[]): Promise<boolean[]> =>
      (await Promise.allSettled(all)).map((each) => each.status === 'rejected' && each.reason instanceof Error);
    const ALL = Array.from({ length: 6 }, () => true);

    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
      process.off('unhandledRejection', note).off('uncaughtException', note);
      if (loose.length > 0) throw new AggregateError(loose.splice(0), 'nobody has heard these errors');
    });

    it('protected by another password', async () => {
      const server = await start('--requirepass', 'secret');
      const { all, works, health } = await use(server, { password: 'wrong' });
      health.subscribe(() => {});
      const asked = Promise.allSettled(all());
      // Some clients reject, others try the password for ever and the guard of the store gives up: none throws about it.
      await Promise.race([asked, pause(100)]);
      const admin = new Redis(server.url, { password: 'secret' });
      await admin.config('SET', 'requirepass', 'wrong');
      admin.disconnect();
      await until(works);
      expect(await works()).toBe(true);
    });

    it('a replica, which must not be written to', async () => {
      const primary = await start('--repl-diskless-sync-delay', '0');
      const replica = await start('--replicaof', '127.0.0.1', String(primary.port));
      await until(async () => String(await say(replica, 'INFO', 'replication')).includes('master_link_status:up'));
      const { all, works, health, values } = await use(replica);
      expect(await rejections(all())).toEqual([false, true, true, false, true, true]);
      await expect(health.record('a', OPENING)).rejects.toThrow('READONLY');
      await expect(values.set('a', 'x')).rejects.toThrow('READONLY');
      await say(replica, 'REPLICAOF', 'NO', 'ONE');
      expect(await works()).toBe(true);
    });

    it('out of memory', async () => {
      const server = await start('--maxmemory', '1', '--maxmemory-policy', 'noeviction');
      const { all, works, health } = await use(server);
      expect(await rejections(all())).toEqual([false, true, true, false, true, false]);
      await expect(health.record('a', { ...OPENING, id: '1' })).rejects.toThrow('OOM');
      await say(server, 'CONFIG', 'SET', 'maxmemory', '0');
      expect(await works()).toBe(true);
      // Nothing of the refused outcome was kept, its id neither.
      expect((await health.record('b', { ...OPENING, id: '1' })).state).toBe('open');
    });

    it('of a client whose queue is full', async () => {
      const server = await start();
      const { all, works, health } = await use(server, { bounded: true });
      await health.admit('a', { lease: 1 });
      const askMuch = () => Promise.allSettled(Array.from({ length: 5 }, () => all()).flat());
      server.stop();
      const asked = askMuch();
      await pause(50);
      server.resume();
      await asked;
      expect(await works()).toBe(true);
      await server.kill();
      expect((await askMuch()).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(15);
      await server.start();
      await until(works);
    });

    it('stopped, and goes on', async () => {
      const server = await start();
      const { all, works, health } = await use(server);
      const heard: string[] = [];
      health.subscribe(({ state }) => heard.push(state));
      await until(async () => (await health.control('a', 'reset'), heard.length > 0));
      server.stop();
      const asked = all();
      const first = await Promise.race([...asked, pause(100, 'nobody')]);
      expect(first).toBe('nobody');
      server.resume();
      expect(await rejections(asked)).toEqual(ALL.map(() => false));
      expect(await works()).toBe(true);
    });

    it('killed, and started again without its memory', async () => {
      const server = await start();
      const { all, works, health } = await use(server);
      const heard: string[] = [];
      health.subscribe(({ state }) => heard.push(state));
      await health.record('a', OPENING);
      await server.kill();
      const asked = Promise.allSettled(all());
      await Promise.race([asked, pause(100)]);
      await server.start();
      await until(works);
      await asked;
      await until(async () =>
        String(await say(server, 'PUBSUB', 'NUMSUB', 'nestjs-fallback:changes:0')).endsWith(',1'),
      );
      heard.length = 0;
      await health.control('b', 'isolate');
      await health.control('b', 'reset');
      await until(() => heard.length > 1);
      expect(heard).toEqual(['isolated', 'closed']);
    });
  });
});
