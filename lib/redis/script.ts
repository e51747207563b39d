/** A Lua script that the server knows by its hash, or is sent once more: after a restart, or SCRIPT FLUSH. */
import { createHash } from 'node:crypto';
import type { RedisConnection } from './client-types.js';

/** @internal */
export class Script {
  private readonly hash: string;

  constructor(private readonly text: string) {
    this.hash = createHash('sha1').update(text).digest('hex');
  }

  /** @param given names and values; what is `undefined` is left out */
  async run(
    connection: RedisConnection,
    keys: readonly string[],
    given: Readonly<Record<string, string | number | undefined>>,
  ): Promise<unknown> {
    const values = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return await connection.send(['EVALSHA', this.hash, ...rest]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return connection.send(['EVAL', this.text, ...rest]);
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
