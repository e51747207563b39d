/** What a store of values must do. */
import { CROWD } from './bench.js';
import { NotThere } from './rules.js';
import type { Rule } from './rules.js';
import { LONG_TTL, isNothing } from './value-bench.js';
import type { ValueBench } from './value-bench.js';

/** What a store of values is checked for. @publicApi */
export type ValueStoreRule =
  | 'not-shared'
  | 'missing-key'
  | 'set-lost'
  | 'false-refusal'
  | 'text-changed'
  | 'overwriting-lost'
  | 'delete-lost'
  | 'delete-too-much'
  | 'keys-mixed'
  | 'sets-mixed'
  | 'lost-early'
  | 'lost-in-seconds'
  | 'ttl-of-before';

/** What is stored is text, and may be any. Our own values are never longer, see `maxBytes`. */
const TEXTS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a text with lines': 'one\r\ntwo\n\tthree \n',
  'a text beyond ASCII': 'Zürich, 東京, 🛰️, e\u0301, \u0000, \u2028',
  'a text that looks like JSON': '{"a":[1,null,"x"]}',
  'a text that looks like a number': '0123',
  'a text that looks like nothing': 'null',
  'a text of 256 kB': 'Zürich '.repeat(2 ** 15),
};

/** Not a whole number of seconds, and how long of it a text must surely be there. */
const UNEVEN = { ttl: 1_500, kept: 1_200 };

/** @internal */
export const valueRules: Record<ValueStoreRule, Rule<ValueBench>> = {
  'not-shared': {
    advice:
      'give a function that makes handles of one truth, as two processes have; a store that lives in one process, itself',
    async play(bench) {
      const key = bench.place();
      await bench.keep(key, 'shared');
      const [first, second] = [await bench.get(key), await bench.get(key)];
      if (isNothing(first) === isNothing(second)) return undefined;
      bench.handles = [bench.handles[0], bench.handles[0]];
      return 'what one handle keeps, the other does not know';
    },
  },
  'missing-key': {
    advice: 'give `undefined` or `null` for what is not there, and delete it without complaint',
    async play(bench) {
      const key = bench.place();
      const value = await bench.get(key);
      if (!isNothing(value)) return `what is not there is ${describe(value)}`;
      await bench.delete(key);
      return undefined;
    },
  },
  'set-lost': {
    advice: 'keep what was set, with and without `ttl`; else reject or give `false`',
    async play(bench) {
      for (const ttl of [LONG_TTL, undefined]) {
        const key = bench.place();
        const said = await bench.set(key, 'kept', ttl);
        if (!isNothing(await bench.get(key))) continue;
        return `a text ${ttl === undefined ? 'without `ttl` ' : ''}is not kept, and set gives ${describe(said)}`;
      }
      return undefined;
    },
  },
  'false-refusal': {
    advice: 'give `false` only for what was not kept: it counts as a failure of the store',
    async play(bench) {
      const key = bench.place();
      const said = await bench.set(key, 'kept', LONG_TTL);
      if (isNothing(await bench.get(key))) throw new NotThere('a text is not kept');
      return said === false ? 'set gives `false` for what it has kept' : undefined;
    },
  },
  'text-changed': {
    advice: 'give the text back as it was given, as a string',
    async play(bench) {
      for (const [what, text] of Object.entries(TEXTS)) {
        const key = bench.place();
        const said = await bench.set(key, text, LONG_TTL);
        const value = await bench.get(key);
        if (said === false && isNothing(value)) return `${what} is refused`;
        if (value !== text) return `${what} comes back as ${describe(value)}`;
      }
      return undefined;
    },
  },
  'overwriting-lost': {
    advice: 'let the last `set` win',
    async play(bench) {
      const key = bench.place();
      for (const text of ['first', 'a longer second', 'third']) await bench.keep(key, text);
      const value = await bench.get(key);
      return value === 'third' ? undefined : `what was overwritten is ${describe(value)}`;
    },
  },
  'delete-lost': {
    advice: 'forget what is deleted before `delete` settles',
    async play(bench) {
      const key = bench.place();
      await bench.keep(key, 'deleted');
      await bench.delete(key);
      return isNothing(await bench.get(key)) ? undefined : 'what was deleted is still there';
    },
  },
  'delete-too-much': {
    advice: 'delete the one key, and nothing that begins like it or was set beside it',
    async play(bench) {
      const key = bench.place();
      const others = [bench.alike(`${key}:more`), bench.alike(key.slice(0, -1)), bench.place()];
      for (const each of [key, ...others]) await bench.keep(each, each);
      await bench.delete(key);
      for (const other of others) {
        if ((await bench.get(other)) !== other) return `deleting '${key}' deletes '${other}'`;
      }
      return undefined;
    },
  },
  'keys-mixed': {
    advice: 'tell keys apart whatever characters are in them, and keep each value under its own',
    async play(bench) {
      const key = bench.place();
      const alike = [key.toUpperCase(), `${key} `, `${key}é`, `${key}e\u0301`, key.slice(0, -1), `${key}/*`];
      await bench.keep(key, key);
      for (const other of alike) {
        if ((await bench.get(bench.alike(other))) === key) return `what was set as '${key}' is there as '${other}'`;
      }
      for (const other of alike) await bench.keep(other, other);
      for (const each of [key, ...alike]) {
        if ((await bench.get(each)) !== each) return `'${each}' holds the value of another key`;
      }
      return undefined;
    },
  },
  'sets-mixed': {
    advice: 'let what is asked at the same time not meet: each operation has its own key, value and answer',
    async play(bench) {
      const keys = Array.from({ length: CROWD }, () => bench.place());
      await Promise.all(keys.map((key, place) => bench.keep(key, `${place}`.repeat(place + 1))));
      const values = await Promise.all(keys.map((key) => bench.get(key)));
      const wrong = values.findIndex((value, place) => value !== `${place}`.repeat(place + 1));
      if (wrong === -1) return undefined;
      return `of ${CROWD} texts that were set at once, the ${wrong + 1}th is ${describe(values[wrong])}`;
    },
  },
  'lost-early': {
    advice: 'take `ttl` in ms; what is older than it may be kept, what is younger must be',
    play: (bench) => keeps(bench, LONG_TTL, 4 * bench.pause),
  },
  'lost-in-seconds': {
    advice: 'take `ttl` in ms: a store that counts in seconds must round up',
    play: (bench) => keeps(bench, UNEVEN.ttl, UNEVEN.kept),
  },
  'ttl-of-before': {
    advice: 'let the `ttl` of the last `set` count, and forget the one before',
    async play(bench) {
      const key = bench.place();
      await bench.keep(key, 'short', bench.pause);
      await bench.keep(key, 'long', LONG_TTL);
      await bench.pass(2 * bench.pause);
      const value = await bench.get(key);
      return value === 'long' ? undefined : `what was set again for longer is ${describe(value)} by its first \`ttl\``;
    },
  },
};

/** Whether a text is still there after a part of its time; whoever looks too late cannot say. */
async function keeps(bench: ValueBench, ttl: number, after: number): Promise<string | undefined> {
  const key = bench.place();
  const began = performance.now();
  await bench.keep(key, 'kept', ttl);
  if (isNothing(await bench.get(key))) throw new NotThere('a text is not kept');
  await bench.pass(after);
  const value = await bench.get(key);
  if (value === 'kept') return undefined;
  if (performance.now() - began >= ttl) throw new NotThere('the machine was too slow to say');
  return `${after} ms after it was set with a \`ttl\` of ${ttl} ms, a text is ${describe(value)}`;
}

function describe(value: unknown): string {
  if (typeof value !== 'string') return isNothing(value) ? 'gone' : `of type ${typeof value}`;
  return value.length > 40 ? `another text of ${value.length} characters` : `'${value}'`;
}
