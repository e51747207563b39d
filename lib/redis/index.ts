export type { IoredisClient, NodeRedisClient, RedisClient, RedisConnection } from './client-types.js';
export { RedisHealthStore } from './redis-health-store.js';
export type { RedisStoreOptions } from './redis-store-options.js';
export { RedisValueStore } from './redis-value-store.js';
