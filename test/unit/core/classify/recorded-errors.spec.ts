import { describe, expect, it } from '@jest/globals';
import { classifyFailure } from '../../../../lib/core/classify/index.js';
import { NOW, rebuild, RECORDED } from './recorded.js';

describe('errors that real clients threw', () => {
  it.each(RECORDED.map((recorded) => [recorded.id, recorded] as const))('%s', (_id, recorded) => {
    const { kind, retryAfterMs, alsoAcceptable = [] } = recorded.expected;
    const verdict = classifyFailure(rebuild(recorded), { now: NOW });
    expect([kind, ...alsoAcceptable]).toContain(verdict.kind);
    expect(verdict.retryAfter).toBe(retryAfterMs);
    expect(Object.hasOwn(verdict, 'retryAfter')).toBe(retryAfterMs !== undefined);
  });

  it('is the whole recording: 553 errors, each with an expectation', () => {
    expect(RECORDED).toHaveLength(553);
    expect(new Set(RECORDED.map(({ id }) => id)).size).toBe(553);
    expect(RECORDED.every(({ expected }) => typeof expected.kind === 'string')).toBe(true);
  });
});
