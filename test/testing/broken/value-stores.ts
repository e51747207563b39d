import type { ValueStore } from '../../../lib/index.js';
import type { StoreFindingCode, TestClock, ValueStoreRule } from '../../../lib/testing/index.js';

interface Kept {
  value: unknown;
  until: number;
}

/** A store of values in the process, with nothing wrong. Those with one thing wrong are made from it. */
export class Shelf implements ValueStore {
  protected readonly kept = new Map<string, Kept>();

  constructor(protected readonly clock: TestClock) {}

  async get(key: string): Promise<unknown> {
    const kept = this.kept.get(this.placeOf(key));
    return kept === undefined || this.clock.now() >= kept.until ? undefined : kept.value;
  }

  async set(key: string, value: unknown, ttl?: number): Promise<unknown> {
    this.kept.set(this.placeOf(key), { value, until: this.clock.now() + (ttl ?? Infinity) });
    return true;
  }

  async delete(key: string): Promise<unknown> {
    return this.kept.delete(this.placeOf(key));
  }

  protected placeOf(key: string): string {
    return key;
  }
}

type Entry = [
  what: string,
  codes: (ValueStoreRule | StoreFindingCode | '…')[],
  Store: new (clock: TestClock) => ValueStore,
];

/** A store that changes what it is given. */
const changing = (change: (text: string) => unknown) =>
  class extends Shelf {
    override set(key: string, text: string, ttl?: number) {
      return super.set(key, change(text), ttl);
    }
  };

const placing = (place: (key: string) => string) =>
  class extends Shelf {
    protected override placeOf(key: string) {
      return place(key);
    }
  };

const lasting = (last: (ttl: number) => number | undefined) =>
  class extends Shelf {
    override set(key: string, value: unknown, ttl = Infinity) {
      return super.set(key, value, last(ttl));
    }
  };

/** Each breaks one rule. Those with an ellipsis break others with it, since what they do is wrong there too. */
export const BROKEN: readonly Entry[] = [
  [
    'gives an empty text for what is not there',
    ['missing-key'],
    class extends Shelf {
      private readonly seen = new Set<string>();

      override async get(key: string) {
        return (await super.get(key)) ?? (this.seen.has(key) ? undefined : '');
      }

      override set(key: string, value: unknown, ttl?: number) {
        this.seen.add(key);
        return super.set(key, value, ttl);
      }
    },
  ],
  [
    'keeps nothing without a time',
    ['set-lost'],
    class extends Shelf {
      override async set(key: string, value: unknown, ttl?: number) {
        return ttl === undefined ? undefined : super.set(key, value, ttl);
      }
    },
  ],
  [
    'keeps nothing',
    ['set-lost', '…'],
    class extends Shelf {
      override async set() {
        return true;
      }
    },
  ],
  [
    'says false for all',
    ['false-refusal'],
    class extends Shelf {
      override async set(key: string, value: unknown, ttl?: number) {
        await super.set(key, value, ttl);
        return false;
      }
    },
  ],
  ['trims', ['text-changed', '…'], changing((text) => text.trim())],
  ['takes an empty text for nothing', ['text-changed'], changing((text) => (text === '' ? undefined : text))],
  [
    'has one byte for each letter',
    ['text-changed', '…'],
    changing((text) => Buffer.from(text, 'latin1').toString('latin1')),
  ],
  ['normalises', ['text-changed', '…'], changing((text) => text.normalize())],
  ['gives bytes', ['text-changed', '…'], changing((text) => Buffer.from(text))],
  ['cuts what is long', ['text-changed'], changing((text) => text.slice(0, 65_536))],
  [
    'reads what looks like JSON',
    ['text-changed', '…'],
    changing((text) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
    }),
  ],
  [
    'refuses what is long',
    ['text-changed'],
    class extends Shelf {
      override async set(key: string, text: string, ttl?: number) {
        return text.length < 65_536 && super.set(key, text, ttl);
      }
    },
  ],
  [
    'does not overwrite',
    ['overwriting-lost', '…'],
    class extends Shelf {
      override async set(key: string, value: unknown, ttl?: number) {
        return this.kept.has(key) || super.set(key, value, ttl);
      }
    },
  ],
  [
    'does not delete',
    ['delete-lost'],
    class extends Shelf {
      override async delete() {
        return true;
      }
    },
  ],
  [
    'deletes all',
    ['delete-too-much'],
    class extends Shelf {
      override async delete() {
        return this.kept.clear();
      }
    },
  ],
  [
    'deletes all that begins so',
    ['delete-too-much'],
    class extends Shelf {
      override async delete(key: string) {
        for (const other of this.kept.keys()) if (other.startsWith(key)) this.kept.delete(other);
      }
    },
  ],
  ['folds keys', ['keys-mixed'], placing((key) => key.toLowerCase())],
  ['trims keys', ['keys-mixed'], placing((key) => key.trim())],
  ['normalises keys', ['keys-mixed'], placing((key) => key.normalize())],
  ['cuts keys', ['missing-key', '…'], placing((key) => key.slice(0, 8))],
  [
    'mixes what is set at once',
    ['sets-mixed'],
    class extends Shelf {
      private key = '';

      override async set(key: string, value: unknown, ttl?: number) {
        this.key = key;
        await Promise.resolve();
        return super.set(this.key, value, ttl);
      }
    },
  ],
  ['takes ms for seconds', ['lost-early', 'lost-in-seconds', '…'], lasting((ttl) => ttl / 1_000)],
  ['counts in whole seconds', ['lost-in-seconds'], lasting((ttl) => Math.floor(ttl / 1_000) * 1_000)],
  ['counts in minutes', ['lost-in-seconds'], lasting((ttl) => Math.floor(ttl / 60_000) * 60_000)],
  [
    'keeps to the first time',
    ['ttl-of-before'],
    class extends Shelf {
      override async set(key: string, value: unknown, ttl = Infinity) {
        const left = (this.kept.get(key)?.until ?? Infinity) - this.clock.now();
        return super.set(key, value, Math.min(left, ttl));
      }
    },
  ],
  [
    'does not answer',
    ['silent'],
    class extends Shelf {
      override get() {
        return new Promise<never>(() => {});
      }
    },
  ],
  [
    'complains of what is not there',
    ['rejects'],
    class extends Shelf {
      override async delete(key: string) {
        if (!this.kept.delete(key)) throw new Error('no such key');
      }
    },
  ],
];
