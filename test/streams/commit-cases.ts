import { expect } from '@jest/globals';
import { AttemptTimeoutError, DeadlineExceededError, FallbackExhaustedError } from '../../lib/index.js';
import type { StreamCase } from '../support/stream-check.js';
import { fail, stall, wait } from '../support/stream-sources.js';

export const down = new Error('down');
const alsoDown = new Error('also down');
export const badRequest = Object.assign(new Error('bad request'), { status: 400 });
export const b = { name: 'b', plays: ['b1', 'b2'] };
export const AB = ['a opened', 'a closed', 'b opened', 'b closed'];
export const A = ['a opened', 'a closed'];

/** a did not commit, b answered in full. */
export const toB = { elements: ['b1', 'b2'], log: AB } as const;

/** An exhausted error with these raw errors, in order. */
export const exhausted = (...errors: unknown[]): unknown => ({
  asymmetricMatch: (error: unknown) =>
    error instanceof FallbackExhaustedError &&
    error.failures().length === errors.length &&
    error.failures().every((failure, place) => {
      const wanted = errors[place];
      return typeof wanted === 'function' ? failure.error instanceof wanted : failure.error === wanted;
    }),
  toString: () => `exhausted(${errors.length})`,
});

/** An error of this class. */
export const instance = (of: abstract new (...args: never) => unknown, more: object = {}): unknown =>
  expect.objectContaining({ constructor: of, ...more });

export const COMMIT_CASES: readonly StreamCase[] = [
  {
    title: 'F41 a fails before its first element',
    candidates: [{ name: 'a', plays: [fail(down)] }, b],
    ...toB,
    attempts: ['a:transient', 'b:ok'],
    circuits: { a: 'closed 1' },
    receipt: { servedBy: 'b', source: 'candidate', failedOver: true, degraded: false },
  },
  {
    title: 'F41 a fails later, before its first element',
    candidates: [{ name: 'a', plays: [wait(5), fail(down)] }, b],
    takes: 5,
    ...toB,
    attempts: ['a:transient', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'F41 healthy: passed through, b never started',
    candidates: [{ name: 'a', plays: ['a', 'b', 'c'] }, b],
    elements: ['a', 'b', 'c'],
    log: A,
    attempts: ['a:ok'],
    receipt: { servedBy: 'a', source: 'candidate', failedOver: false, degraded: false },
  },
  {
    title: 'F41 healthy with silences',
    candidates: [{ name: 'a', plays: [wait(5), 'a', wait(5), 'b', wait(5)] }, b],
    takes: 15,
    elements: ['a', 'b'],
    log: A,
    attempts: ['a:ok'],
    receipt: { duration: 15 },
  },
  {
    title: 'F41 falsy elements are elements',
    candidates: [{ name: 'a', plays: [undefined, null, 0, '', false] }, b],
    elements: [undefined, null, 0, '', false],
    log: A,
    attempts: ['a:ok'],
  },
  {
    title: 'F42 a breaks in the middle',
    candidates: [{ name: 'a', plays: ['a', fail(down)] }, b],
    elements: ['a'],
    end: { error: down },
    log: A,
    attempts: ['a:transient'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'F42 a breaks in the middle, later, with what would be terminal',
    candidates: [{ name: 'a', plays: ['a', wait(5), fail(badRequest)] }, b],
    takes: 5,
    elements: ['a'],
    end: { error: badRequest },
    log: A,
    attempts: ['a:terminal'],
  },
  {
    title: 'F42 a breaks in the middle with undefined',
    candidates: [{ name: 'a', plays: ['a', fail(undefined)] }, b],
    elements: ['a'],
    end: { error: undefined },
    log: A,
    attempts: ['a:transient'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'F43 the timeout is the time to the first element',
    candidates: [{ name: 'a', plays: [wait(60), 'late'] }, b],
    options: { timeout: 15 },
    takes: 15,
    ...toB,
    attempts: ['a:timeout', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'F43 head at once, tail late: no timeout',
    candidates: [{ name: 'a', plays: ['head', wait(50), 'tail'] }, b],
    options: { timeout: 20 },
    takes: 50,
    elements: ['head', 'tail'],
    log: A,
    attempts: ['a:ok'],
  },
  {
    title: 'F43 a timeout of its own candidate',
    candidates: [
      { name: 'a', plays: [stall], timeout: 10 },
      { ...b, plays: [wait(30), 'b1'] },
    ],
    takes: 40,
    elements: ['b1'],
    log: AB,
    attempts: ['a:timeout', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'F47 all fail before the first element',
    candidates: [
      { name: 'a', plays: [fail(down)] },
      { name: 'b', plays: [fail(alsoDown)] },
    ],
    elements: [],
    end: { error: exhausted(down, alsoDown) },
    log: AB,
    attempts: ['a:transient', 'b:transient'],
    circuits: { a: 'closed 1', b: 'closed 1' },
  },
  {
    title: 'F47 all time out',
    candidates: [
      { name: 'a', plays: [stall] },
      { name: 'b', plays: [stall] },
    ],
    options: { timeout: 10 },
    takes: 20,
    elements: [],
    end: { error: exhausted(AttemptTimeoutError, AttemptTimeoutError) },
    log: AB,
    attempts: ['a:timeout', 'b:timeout'],
    circuits: { a: 'closed 1', b: 'closed 1' },
  },
  {
    title: "F47 rethrow: 'last'",
    candidates: [
      { name: 'a', plays: [fail(down)] },
      { name: 'b', plays: [fail(alsoDown)] },
    ],
    options: { rethrow: 'last' },
    elements: [],
    end: { error: alsoDown },
    log: AB,
    attempts: ['a:transient', 'b:transient'],
    circuits: { a: 'closed 1', b: 'closed 1' },
  },
  {
    title: 'F47 terminal before the first element',
    candidates: [{ name: 'a', plays: [fail(badRequest)] }, b],
    elements: [],
    end: { error: badRequest },
    log: A,
    attempts: ['a:terminal'],
  },
  {
    title: 'F47 the deadline ends the call before the first element',
    candidates: [{ name: 'a', plays: [stall] }, b],
    options: { deadline: 20 },
    takes: 20,
    elements: [],
    end: { error: exhausted(DeadlineExceededError) },
    log: A,
    attempts: ['a:timeout', 'b:skipped(deadline)'],
  },
  {
    title: 'the deadline ends at the commit',
    candidates: [{ name: 'a', plays: [wait(10), 'a1', wait(50), 'a2'] }, b],
    options: { deadline: 20 },
    takes: 60,
    elements: ['a1', 'a2'],
    log: A,
    attempts: ['a:ok'],
  },
  {
    title: 'the deadline goes on while b has not committed',
    candidates: [
      { name: 'a', plays: [wait(15), fail(down)] },
      { name: 'b', plays: [wait(15), 'late'] },
    ],
    options: { deadline: 20 },
    takes: 20,
    elements: [],
    end: { error: exhausted(down, DeadlineExceededError) },
    log: AB,
    attempts: ['a:transient', 'b:timeout'],
    circuits: { a: 'closed 1' },
  },
];
