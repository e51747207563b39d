import { describe, expect, it } from '@jest/globals';
import { canonicalKey } from '../../../lib/substitutes/canonical-key.js';
import { KeyTexts } from '../../../lib/substitutes/key-texts.js';

describe('the texts of keys that are one string', () => {
  it('are those that every key has', () => {
    const texts = new KeyTexts();
    for (const key of ['42', '"', '', 'a\u2028b', '\ud800', 'x'.repeat(1_000)]) {
      for (let time = 0; time < 2; time++) expect(texts.of('here/', key)).toBe(`here/${canonicalKey(key)}`);
    }
  });

  it('begin with the class that asks, whichever asked before', () => {
    const texts = new KeyTexts();
    for (const prefix of ['A', 'B', 'B', 'A']) expect(texts.of(prefix, '42')).toBe(`${prefix}"42"`);
  });

  it('stay right when more are asked for than are kept', () => {
    const texts = new KeyTexts();
    for (let key = 0; key < 2_500; key++) expect(texts.of('', String(key))).toBe(`"${key}"`);
    expect(texts.of('', '0')).toBe('"0"');
  });
});
