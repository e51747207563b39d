import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';
import type { StartedApp } from '../support/nest-app.js';

interface News {
  from: string;
}

let upstreamCalls: number;
let isUpstreamUp: boolean;
let spareThis: unknown[];

class Base {
  @Degraded({
    substitute(this: Base) {
      return this.spare();
    },
    mark: 'receipt',
  })
  async fetch(): Promise<News> {
    upstreamCalls++;
    await Promise.resolve();
    if (isUpstreamUp) return { from: 'upstream' };
    throw new Error('the upstream is down');
  }

  spare(): News {
    spareThis.push(this);
    return { from: 'Base' };
  }
}

@Injectable()
class Child extends Base {
  override fetch(): Promise<News> {
    return super.fetch();
  }

  override spare(): News {
    spareThis.push(this);
    return { from: 'Child' };
  }
}

@Injectable()
class Other extends Base {
  override async fetch(): Promise<News> {
    return { from: 'Other' };
  }
}

@Injectable()
class Grand extends Base {
  isBroken = false;

  @Degraded({ lastKnownGood: { maxAge: '1h' }, mark: 'receipt' })
  override async fetch(): Promise<News> {
    if (this.isBroken) throw new Error('Grand is broken');
    return super.fetch();
  }
}

describe('B07: overriding and inheriting decorated methods', () => {
  let started: StartedApp;

  beforeEach(async () => {
    upstreamCalls = 0;
    isUpstreamUp = false;
    spareThis = [];
    started = await startApp({ providers: [Child, Other, Grand] });
  });

  afterEach(closeApps);

  const namesOfEvents = (): string[] => started.events.map(({ chain, name }) => `${chain} ${name}`);

  it('B07: an override that calls super runs the chain once and serves its own substitute', async () => {
    const child = started.app.get(Child);
    const { value, receipt } = await started.fallback.withReceipt(() => child.fetch());

    expect(value).toEqual({ from: 'Child' });
    expect(upstreamCalls).toBe(1);
    expect(spareThis).toHaveLength(1);
    expect(spareThis[0]).toBe(child);
    expect(namesOfEvents()).toEqual(['Base.fetch attempt.settled', 'Base.fetch call.served']);
    expect(receipt).toMatchObject({ chain: 'Base.fetch', servedBy: null, source: 'static', degraded: true });
  });

  it('B07: an override without super has no chain', async () => {
    const { value, receipt } = await started.fallback.withReceipt(() => started.app.get(Other).fetch());

    expect(value).toEqual({ from: 'Other' });
    expect(receipt).toBeUndefined();
    expect(started.events).toEqual([]);
    expect(upstreamCalls).toBe(0);
  });

  it('B07: a decorated override around a decorated super multiplies nothing and hides no degradation', async () => {
    const grand = started.app.get(Grand);
    const { value, receipt, receipts } = await started.fallback.withReceipt(() => grand.fetch());

    expect(value).toEqual({ from: 'Base' });
    expect(upstreamCalls).toBe(1);
    expect(spareThis).toHaveLength(1);
    expect(spareThis[0]).toBe(grand);
    expect(receipts.map(({ chain }) => chain)).toEqual(['Base.fetch', 'Grand.fetch']);
    expect(receipt).toMatchObject({ chain: 'Grand.fetch', degraded: true, source: 'static' });
    expect(receiptOf(value)).toMatchObject({ chain: 'Grand.fetch', degraded: true });
    expect(namesOfEvents()).toEqual([
      'Base.fetch attempt.settled',
      'Base.fetch call.served',
      'Grand.fetch attempt.settled',
      'Grand.fetch call.served',
    ]);

    // Not stored: when Grand itself fails there is nothing to serve.
    grand.isBroken = true;
    await expect(grand.fetch()).rejects.toBeInstanceOf(FallbackExhaustedError);

    // A full answer is stored.
    grand.isBroken = false;
    isUpstreamUp = true;
    await expect(grand.fetch()).resolves.toEqual({ from: 'upstream' });
    grand.isBroken = true;
    const later = await started.fallback.withReceipt(() => grand.fetch());
    expect(later.value).toEqual({ from: 'upstream' });
    expect(later.receipt).toMatchObject({ chain: 'Grand.fetch', degraded: true, source: 'last-known-good' });
  });

  it('B07: health has one entry per decorated method', () => {
    const chains = started.health.snapshot().map(({ chain }) => chain);
    expect(chains.sort()).toEqual(['Base.fetch', 'Grand.fetch']);
  });
});
