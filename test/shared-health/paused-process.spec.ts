import { stat } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { systemClock } from '../../lib/core/clock.js';
import { Questions } from '../../lib/core/shared-health/questions.js';
import { keeping } from '../support/value-stores.js';

const TIMEOUT = 50;

/** A long collection, or a synchronous job. */
function pauseTheProcess(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

it('an answer that arrived while the whole process stood still is in time', async () => {
  const questions = new Questions(systemClock, TIMEOUT);
  const reply = questions.ask(() => stat('.').then(() => 'answer'), { read: (said) => said });
  pauseTheProcess(4 * TIMEOUT);
  expect(await reply).toEqual({ said: 'answer' });
  questions.close();
});

it('no answer is none after a pause, too', async () => {
  const questions = new Questions(systemClock, TIMEOUT);
  const reply = questions.ask(() => new Promise(() => {}), { read: (said) => said });
  pauseTheProcess(4 * TIMEOUT);
  expect(await reply).toBe('timeout');
  questions.close();
});

it('a store of values that answered while the process stood still has not failed', async () => {
  const store = {
    get: () => stat('.').then(() => undefined),
    set: () => stat('.').then(() => true),
    delete: () => true,
  };
  const { ladder } = await keeping(store, {}, { clock: systemClock, storeTimeout: TIMEOUT });
  const call = ladder.begin('q');
  await new Promise(setImmediate);
  pauseTheProcess(4 * TIMEOUT);
  await new Promise((resolve) => {
    setTimeout(resolve, TIMEOUT);
  });
  expect(call.value).toBe('v1');
  expect(ladder.eventsNamed('store.failed')).toEqual([]);
});
