import { describe, expect, it } from '@jest/globals';
import { classifyAt, classifyFailure, newLastText } from '../../../../lib/core/classify/index.js';

const CLOCK = { wall: () => 0 };
const TEXTS = [
  '',
  'down',
  'socket hang up',
  'read timed out',
  '{"code":"insufficient_quota"}',
  'x'.repeat(300),
  'down',
];

describe('what the last bare error said', () => {
  it.each(TEXTS.map((text) => [text.slice(0, 40), text]))('changes nothing after %j', (_shown, before) => {
    for (const unknown of ['transient', 'terminal'] as const) {
      for (const text of TEXTS) {
        const last = newLastText();
        classifyAt(new Error(before), unknown, CLOCK, last);
        for (let time = 0; time < 2; time++) {
          const said = classifyAt(new Error(text), unknown, CLOCK, last);
          expect(said).toEqual(classifyFailure(new Error(text), { unknown, now: 0 }));
        }
      }
    }
  });

  it('is not taken for the text of an error that says more', () => {
    const last = newLastText();
    expect(classifyAt(new Error('down'), 'transient', CLOCK, last)).toEqual({ kind: 'transient' });
    const denied = Object.assign(new Error('down'), { status: 401 });
    expect(classifyAt(denied, 'transient', CLOCK, last)).toEqual({ kind: 'denied' });
  });
});
