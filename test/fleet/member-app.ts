/** The application of the fleet: a provider over HTTP, a backup that is always there, and both stores in Redis. */
import { Injectable, Module } from '@nestjs/common';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AttemptSignal, Degraded, FallbackChain, FallbackModule } from 'nestjs-fallback';
import type { FallbackEvent } from 'nestjs-fallback';
import { RedisHealthStore, RedisValueStore } from 'nestjs-fallback/redis';
import type { RedisClient } from 'nestjs-fallback/redis';
import type { Answer, Settings } from './orders.js';

/** Who asks for this nonce is refused by the backup, so that a substitute has to answer. */
export const UNLUCKY = 'unlucky';

export interface Geocoder {
  find(key: string, nonce: string): Promise<Answer>;
  /** The same provider with nobody to stand in for it. */
  findAlone(key: string, nonce: string): Promise<Answer>;
}

export interface Application {
  readonly app: INestApplicationContext;
  readonly geocoder: Geocoder;
  close(): Promise<void>;
}

export async function start(settings: Settings, hear: (event: FallbackEvent) => void): Promise<Application> {
  const { client, end } = await connect(settings);
  const { upstream, timeout, cooldown, deadline = Infinity } = settings;

  @Injectable()
  class HttpGeocoder implements Geocoder {
    @FallbackChain(
      [{ name: 'backup', run: (_ctx, key, nonce) => askBackup(key, nonce), breaker: { threshold: 1e9 } }],
      {
        name: 'geocoder',
        timeout,
        deadline,
        primary: { name: 'primary' },
        breaker: { threshold: 3, cooldown, factor: 1 },
      },
    )
    @Degraded({
      lastKnownGood: { maxAge: '10m', key: (key: string) => key },
      substitute: (key: string, nonce: string): Answer => ({ key, nonce, from: 'substitute' }),
    })
    find(key: string, nonce: string, @AttemptSignal() signal?: AbortSignal): Promise<Answer> {
      return askUpstream(`${upstream}/`, { key, nonce }, signal);
    }

    @FallbackChain([], {
      name: 'alone',
      timeout,
      deadline,
      primary: { name: 'primary' },
      breaker: { threshold: 3, cooldown, factor: 1 },
    })
    findAlone(key: string, nonce: string, @AttemptSignal() signal?: AbortSignal): Promise<Answer> {
      return askUpstream(`${upstream}/alone`, { key, nonce }, signal);
    }
  }

  @Module({
    imports: [
      FallbackModule.forRoot({
        healthStore: new RedisHealthStore(client),
        valueStore: new RedisValueStore(client),
        observers: [hear],
      }),
    ],
    providers: [HttpGeocoder],
  })
  class FleetModule {}

  const app = await NestFactory.createApplicationContext(FleetModule, { logger: false });
  const close = async () => {
    await app.close();
    end();
  };
  return { app, geocoder: app.get(HttpGeocoder), close };
}

async function askUpstream(url: string, asked: { key: string; nonce: string }, signal?: AbortSignal): Promise<Answer> {
  const answer = await fetch(`${url}?${new URLSearchParams(asked).toString()}`, signal ? { signal } : {});
  if (answer.ok) return (await answer.json()) as Answer;
  await answer.body?.cancel();
  throw Object.assign(new Error('refused'), { status: answer.status, headers: answer.headers });
}

async function askBackup(key: string, nonce: string): Promise<Answer> {
  if (nonce.startsWith(UNLUCKY)) throw new Error('the backup is down, too');
  return { key, nonce, from: 'backup' };
}

async function connect({ client, redis }: Settings): Promise<{ client: RedisClient; end: () => void }> {
  if (client === 'ioredis') {
    const { Redis } = await import('ioredis');
    const ioredis = new Redis(redis, '127.0.0.1');
    return { client: ioredis, end: () => ioredis.disconnect() };
  }
  const { createClient } = await import('redis');
  const nodeRedis = createClient({ url: `redis://127.0.0.1:${redis}` });
  nodeRedis.on('error', () => {});
  await nodeRedis.connect();
  return { client: nodeRedis as RedisClient, end: () => nodeRedis.destroy() };
}
