import { Injectable } from '@nestjs/common';
import { Degraded } from '../../lib/index.js';
import type { DegradedOptions } from '../../lib/index.js';

/** Kept for an hour, written at every answer. */
export const known = { maxAge: '1h', refreshAfter: 1 } as const;

/** What they answer. */
export const VALUE = { at: new Date(5), by: new Map([[1n, Buffer.from('x')]]), nothing: undefined };

/** A class with one method whose answers are kept as said. */
export function quotes(lastKnownGood: DegradedOptions['lastKnownGood']) {
  @Injectable()
  class Quotes {
    isDown = false;

    @Degraded({ lastKnownGood: lastKnownGood!, mark: 'receipt' })
    async quote(_id: string): Promise<unknown> {
      if (this.isDown) throw new Error('down');
      return VALUE;
    }
  }
  return Quotes;
}
