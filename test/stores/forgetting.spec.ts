import { Injectable } from '@nestjs/common';
import { afterEach, expect, it } from '@jest/globals';
import { Degraded, FallbackService } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { TestClock } from '../support/test-clock.js';

afterEach(closeAll);

@Injectable()
class Quotes {
  @Degraded({ lastKnownGood: { maxAge: '1h' }, mark: 'receipt' })
  async quote(_symbol: string): Promise<string> {
    return 'a quote';
  }
}

it('a store that hangs: whoever waits for forget() is told in time, and the process stays for it', async () => {
  const clock = new TestClock();
  const hangs = () => new Promise<never>(() => {});
  const valueStore = { get: hangs, set: hangs, delete: hangs };
  const app = await boot({ providers: [Quotes], fallback: { clock, valueStore, storeTimeout: 100 } });
  const forgotten = app.get(FallbackService).forget('Quotes.quote', ['a']);
  forgotten.catch(() => {});
  await clock.advance(0);
  expect(clock.refd).toBe(1);
  await clock.advance(100);
  await expect(forgotten).rejects.toThrow('has not deleted the value (timeout)');
  expect(clock.refd).toBe(0);
});
