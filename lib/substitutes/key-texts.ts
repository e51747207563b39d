import { canonicalKey } from './canonical-key.js';

/** How many keys are known. */
const MOST = 1_000;
/** Longer ones are not kept. */
const LONGEST = 200;

/**
 * The texts of keys that are one string. To write one, and to hash what was just put together, takes longer than all
 * that a healthy call has to do with its last known good, so the texts of the keys met lately are kept.
 * @internal
 */
export class KeyTexts {
  private prefix = '';
  private readonly texts = new Map<string, string>();

  /** @param prefix what the texts begin with; there is another one where another class shares the chain */
  of(prefix: string, key: string): string {
    if (prefix !== this.prefix) this.begin(prefix);
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const text = prefix + canonicalKey(key)!;
    if (key.length > LONGEST) return text;
    if (this.texts.size === MOST) this.texts.clear();
    this.texts.set(key, text);
    return text;
  }

  private begin(prefix: string): void {
    this.prefix = prefix;
    this.texts.clear();
  }
}
