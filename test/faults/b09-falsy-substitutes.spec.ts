import { Controller, Get, Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, Fallback, FallbackExhaustedError } from '../../lib/index.js';
import type { DegradedOptions } from '../../lib/index.js';
import { PLATFORMS, closeApps, startApp, startServer } from '../support/nest-app.js';

interface Chain {
  read(): Promise<unknown>;
}

/** A chain of two candidates that both fail, with these substitutes. */
function chainWith(substitutes: DegradedOptions): Type<Chain> {
  @Injectable()
  class Settings implements Chain {
    @Fallback('spare')
    @Degraded({ ...substitutes, mark: 'receipt' })
    async read(): Promise<unknown> {
      throw new Error('A is down');
    }

    async spare(): Promise<unknown> {
      throw new Error('B is down');
    }
  }
  return Settings;
}

@Controller()
class FlagController {
  @Get('flag')
  @Fallback('spare')
  @Degraded({ substitute: false, mark: 'receipt' })
  async isOn(): Promise<boolean> {
    throw new Error('A is down');
  }

  async spare(): Promise<boolean> {
    throw new Error('B is down');
  }
}

const VALUES = [
  { shown: 'false', value: false },
  { shown: '0', value: 0 },
  { shown: "''", value: '' },
  { shown: 'null', value: null },
  { shown: '[]', value: [] },
  { shown: 'undefined', value: undefined },
];

const FORMS: { form: string; shown: string; value: unknown; options: DegradedOptions }[] = VALUES.flatMap(
  ({ shown, value }) => [
    { form: 'static', shown, value, options: { substitute: value } },
    { form: 'result of a factory', shown, value, options: { substitute: () => value } },
    { form: 'later result of a factory', shown, value, options: { substitute: () => Promise.resolve(value) } },
  ],
);

describe('B09: a falsy substitute is ignored', () => {
  afterEach(closeApps);

  it.each(FORMS)('B09: $shown as a $form substitute is served strictly', async ({ value, options }) => {
    const Settings = chainWith(options);
    const { app, fallback, events } = await startApp({ providers: [Settings] });
    const outcome = await fallback.withReceipt(() => app.get<Chain>(Settings).read());

    // Recursively the same by Object.is, types included.
    expect(outcome.value).toStrictEqual(value);
    expect(outcome.receipt).toMatchObject({
      chain: 'Settings.read',
      servedBy: null,
      source: 'static',
      degraded: true,
      reason: 'transient',
      attempts: [
        { candidate: 'read', kind: 'transient' },
        { candidate: 'spare', kind: 'transient' },
      ],
    });
    expect(events.at(-1)).toMatchObject({ name: 'call.served', source: 'static', degraded: true });
  });

  it('B09: without the option the call rejects with the exhausted error', async () => {
    const Settings = chainWith({});
    const { app } = await startApp({ providers: [Settings] });
    await expect(app.get<Chain>(Settings).read()).rejects.toBeInstanceOf(FallbackExhaustedError);
  });

  it.each(PLATFORMS)(
    'B09: over HTTP `false` is 200 with the body false and the Degraded header (%s)',
    async (platform) => {
      const { get } = await startServer(platform, { controllers: [FlagController] });
      const { status, text, headers } = await get('/flag');
      expect(status).toBe(200);
      expect(text).toBe('false');
      expect(headers.get('degraded')).toBe('FlagController.isOn;source=static;reason=transient');
    },
  );
});
