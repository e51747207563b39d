import { describe, expect, it } from '@jest/globals';
import { FallbackService, receiptOf } from '../../lib/index.js';
import { REASON } from '../support/stream-check.js';
import type { Reader } from '../support/stream-consumers.js';
import { DECORATED, STREAM, openDecorated, openStreams } from '../support/stream-faces.js';
import type { Streams } from '../support/stream-faces.js';
import { fail, stall, wait } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { badRequest, down } from './commit-cases.js';

const told = ({ events }: Streams): string[] =>
  events.map(({ name, candidate, kind }) => [name, candidate, kind].filter((part) => part !== undefined).join(' '));

describe.each(DECORATED)('%s', (face) => {
  it('a stream that ends well: committed at once, the outcome and the call at its end', async () => {
    const streams = await openDecorated(face, { candidates: [{ name: 'a', plays: ['a1', wait(50), 'a2'] }] });
    streams.begin();
    await streams.clock.advance(10);
    expect(told(streams)).toEqual(['stream.committed a']);
    expect(streams.events[0]).toMatchObject({ name: 'stream.committed', chain: STREAM, candidate: 'a' });
    await streams.clock.advance(40);
    expect(told(streams)).toEqual([
      'stream.committed a',
      'attempt.settled a ok',
      expect.stringMatching(/^call\.served/),
    ]);
    expect(streams.events[1]).toMatchObject({ duration: 50 });
    expect(streams.events[2]).toMatchObject({ source: 'candidate', degraded: false, duration: 50 });
  });

  it('events of a stream are plain JSON and say nothing that was said', async () => {
    const streams = await openDecorated(face, {
      candidates: [
        { name: 'a', plays: [fail(new Error('secret of a'))] },
        { name: 'b', plays: [{ secret: 'element' }, fail(new Error('secret of b'))] },
      ],
    });
    await streams.read();
    const json = JSON.stringify(streams.events);
    expect(JSON.parse(json)).toEqual(streams.events);
    expect(json).not.toContain('secret');
  });

  it('a failure after the commit: the outcome with its kind, then the call stopped by it', async () => {
    const streams = await openDecorated(face, { candidates: [{ name: 'a', plays: ['a1', wait(5), fail(down)] }] });
    const reader = await streams.read(5);
    expect(told(streams)).toEqual([
      'stream.committed a',
      'attempt.settled a transient',
      expect.stringMatching(/^call\.stopped.*transient$/),
    ]);
    expect(reader.receipt).toMatchObject({ servedBy: 'a', stoppedBy: 'transient', degraded: false, duration: 5 });
    expect(reader.receipt!.attempts).toMatchObject([{ candidate: 'a', kind: 'transient', attempt: 0 }]);
  });

  it('a failover: what happened before the commit is told before it', async () => {
    const streams = await openDecorated(face, {
      candidates: [
        { name: 'a', plays: [fail(down)] },
        { name: 'b', plays: ['b1'] },
      ],
    });
    const reader = await streams.read();
    expect(told(streams)).toEqual([
      'attempt.settled a transient',
      'stream.committed b',
      'attempt.settled b ok',
      expect.stringMatching(/^call\.served/),
    ]);
    expect(reader.receipt).toMatchObject({ servedBy: 'b', failedOver: true, degraded: false });
    expect(reader.receipt!.attempts.map(({ candidate, kind, attempt }) => [candidate, kind, attempt])).toEqual([
      ['a', 'transient', 0],
      ['b', 'ok', 1],
    ]);
  });

  it('a failover and a substitute are no commit', async () => {
    const streams = await openDecorated(face, {
      candidates: [{ name: 'a', plays: [fail(down)] }],
      degraded: { substitute: ['s1'] },
    });
    await streams.read();
    expect(told(streams).map((line) => line.split(' ')[0])).toEqual(['attempt.settled', 'call.served']);
    expect(streams.events.at(-1)).toMatchObject({ source: 'static', degraded: true });
  });

  it('nobody committed: the call is exhausted, its receipt hangs on the error', async () => {
    const streams = await openDecorated(face, { candidates: [{ name: 'a', plays: [fail(down)] }] });
    const reader = await streams.read();
    expect(told(streams).map((line) => line.split(' ')[0])).toEqual(['attempt.settled', 'call.exhausted']);
    expect(receiptOf(reader.error)).toMatchObject({ chain: STREAM, servedBy: null, attempts: [{ kind: 'transient' }] });
  });

  it.each([
    ['before the commit', [wait(60), 'late'], ['attempt.settled a cancelled', 'call.stopped cancelled']],
    ['after the commit', ['a1', wait(60), 'late'], ['stream.committed a', 'attempt.settled a ok', 'call.served']],
  ])('a reader who leaves %s: one outcome, one end', async (_when, plays, lines) => {
    const streams = await openDecorated(face, { candidates: [{ name: 'a', plays }] });
    const reader = streams.begin();
    await streams.clock.advance(5);
    reader.leave();
    await streams.clock.advance(100);
    expect(told(streams).map((line) => line.replace(/^(call\.\S+) a/, '$1').replace(/^(call.served).*/, '$1'))).toEqual(
      lines,
    );
    expect(streams.circuits).toEqual({ a: 'closed 0' });
  });

  it('the caller’s abort after the commit stops the call', async () => {
    const streams = await openDecorated(face, { candidates: [{ name: 'a', plays: ['a1', stall] }] });
    const caller = new AbortController();
    const reader = streams.begin({ signal: caller.signal });
    await streams.clock.advance(5);
    caller.abort(REASON);
    await settle();
    expect(reader.error).toBe(REASON);
    expect(reader.receipt).toMatchObject({ servedBy: 'a', stoppedBy: 'cancelled' });
    expect(streams.events.filter(({ name }) => name === 'call.stopped')).toMatchObject([{ kind: 'cancelled' }]);
  });

  it('the receipt is there at the commit, and names who answers', async () => {
    const streams = await openDecorated(face, {
      candidates: [
        { name: 'a', plays: [fail(down)] },
        { name: 'b', plays: [wait(5), 'b1', wait(50), 'b2'] },
      ],
    });
    const fallback = streams.started.app.get(FallbackService);
    const atCommit: unknown[] = [];
    let reader!: Reader;
    const whole = fallback.withReceipt(async () => {
      streams['within'] = (given) => given.begin();
      reader = streams.begin();
      await streams.clock.sleep(6);
      atCommit.push(...structuredClone(fallback.currentReceipts()));
      await reader.ended;
    });
    await streams.clock.advance(55);
    expect(reader.end).toBe('complete');
    expect(atCommit).toMatchObject([{ chain: STREAM, servedBy: 'b', source: 'candidate', failedOver: true }]);
    const { receipt, receipts } = await whole;
    expect(receipts).toHaveLength(1);
    expect(receipt).toMatchObject({ servedBy: 'b', duration: 55 });
    expect(receipt!.attempts.map(({ kind }) => kind)).toEqual(['transient', 'ok']);
  });

  it('a terminal error before the commit stops the call', async () => {
    const streams = await openDecorated(face, { candidates: [{ name: 'a', plays: [fail(badRequest)] }] });
    const reader = await streams.read();
    expect(reader.error).toBe(badRequest);
    expect(receiptOf(badRequest)).toMatchObject({ servedBy: null, stoppedBy: 'terminal' });
    expect(streams.events.at(-1)).toMatchObject({ name: 'call.stopped', kind: 'terminal' });
  });

  it('an observer that throws changes nothing', async () => {
    const streams = await openDecorated(face, { candidates: [{ name: 'a', plays: ['a1', 'a2'] }] });
    streams.events.push = () => {
      throw new Error('observer');
    };
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['a1', 'a2'], 'complete']);
  });
});

describe('plain functions', () => {
  it('onAttempt is called once per attempt, at its end', async () => {
    const streams = await openStreams('plain functions', {
      candidates: [
        { name: 'a', plays: [fail(down)] },
        { name: 'b', plays: ['b1', wait(50), 'b2'] },
      ],
    });
    streams.begin();
    await streams.clock.advance(10);
    expect(streams.attempts).toEqual(['a:transient']);
    await streams.clock.advance(40);
    expect(streams.attempts).toEqual(['a:transient', 'b:ok']);
  });

  it('the receipt of an exhausted stream hangs on its error', async () => {
    const streams = await openStreams('plain functions', { candidates: [{ name: 'a', plays: [fail(down)] }] });
    expect(receiptOf((await streams.read()).error)).toMatchObject({
      attempts: [{ candidate: 'a', kind: 'transient' }],
    });
  });
});
