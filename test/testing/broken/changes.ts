import type { Entry, Good } from './breaking.js';

export const CHANGES: readonly Entry[] = [
  ['tells nobody', ['change-untold'], () => ({ subscribe: () => () => {} })],
  [
    'tells of keys by its own names',
    ['change-untold'],
    ({ subscribe }) => ({
      subscribe: (listener) => subscribe((change) => listener({ ...change, key: `app:${change.key}` })),
    }),
  ],
  [
    'does not tell the first failure',
    ['change-untold'],
    ({ subscribe }) => ({
      subscribe: (listener) => subscribe((change) => change.failures === 1 || listener(change)),
    }),
  ],
  [
    'tells twice',
    ['change-told-twice'],
    ({ subscribe }) => ({
      subscribe: (listener) =>
        subscribe((change) => {
          listener(change);
          listener(change);
        }),
    }),
  ],
  [
    'tells of probes',
    ['change-invented'],
    ({ admit, subscribe }) => {
      const listeners = new Set<Parameters<Good['subscribe']>[0]>();
      return {
        admit: async (key, options) => {
          const permit = await admit(key, options);
          const change = { key, state: 'half-open', epoch: permit.epoch, openUntil: 1 } as const;
          if (permit.probe) for (const listener of listeners) listener(change);
          return permit;
        },
        subscribe: (listener) => {
          const end = subscribe(listener);
          listeners.add(listener);
          return () => {
            end();
            listeners.delete(listener);
          };
        },
      };
    },
  ],
  [
    'tells of the period before',
    ['change-differs'],
    ({ subscribe }) => ({
      subscribe: (listener) => subscribe((change) => listener({ ...change, epoch: change.epoch - 1 })),
    }),
  ],
  [
    'goes on to tell who has left',
    ['told-after-leaving'],
    ({ subscribe }) => ({
      subscribe: (listener) => {
        subscribe(listener);
        return () => {};
      },
    }),
  ],
];
