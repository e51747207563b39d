import { answering, isOpen } from './breaking.js';
import type { Entry } from './breaking.js';

export const ANSWERS: readonly Entry[] = [
  ['never answers', ['silent'], () => ({ record: () => new Promise(() => {}) })],
  ['fails', ['rejects', '…'], () => ({ control: () => Promise.reject(new Error('not today')) })],
  [
    'throws',
    ['rejects'],
    () => ({
      admit: () => {
        throw new Error('not today');
      },
    }),
  ],
  ['answers nothing', ['nonsense'], () => ({ admit: async () => undefined as never })],
  ['answers OK', ['nonsense'], () => ({ record: async () => 'OK' as never })],
  ['has states of its own', ['nonsense'], answering((reading) => (isOpen(reading) ? { state: 'OPEN' as never } : {}))],
];
