/** Options that both stores have. */

/** @publicApi */
export interface RedisStoreOptions {
  /** with which all keys and the channel begin; applications that share a server need one each; default `nestjs-fallback` */
  prefix?: string;
}

const DEFAULT_PREFIX = 'nestjs-fallback';

/** @param store who asks, for the error @internal */
export function prefixOf(store: string, options: RedisStoreOptions): string {
  const { prefix = DEFAULT_PREFIX } = options;
  // A brace would decide in which hash slot of a cluster a key is.
  if (typeof prefix === 'string' && /^[^{}]+$/.test(prefix)) return prefix;
  throw new TypeError(`${store}: \`prefix\` must be a text that is not empty and has no braces, got ${prefix}`);
}
