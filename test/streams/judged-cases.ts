import type { StreamCase } from '../support/stream-check.js';
import { fail, stall, wait } from '../support/stream-sources.js';
import { A, AB, b, badRequest, down, exhausted, toB } from './commit-cases.js';

const never = (): Promise<boolean> => new Promise(() => {});
const broken = (): boolean => {
  throw new Error('a hook with a fault');
};
const isText = (element: unknown): boolean => typeof element === 'string' && element !== '';
const start = { type: 'start' };
const delta = '';
const inBand = (error: unknown) => ({ type: 'error', error });
const errorIn = (element: unknown): unknown => (element as { error?: unknown } | null)?.error;
const overloaded = Object.assign(new Error('overloaded'), { status: 529 });

/** What the first element is judged to be, and what it means. */
export const ACCEPT_CASES: readonly StreamCase[] = [
  {
    title: 'F44 accept vetoes the first element',
    candidates: [{ name: 'a', plays: ['<html>', 'a2'] }, b],
    options: { accept: (element) => !String(element).startsWith('<') },
    ...toB,
    attempts: ['a:rejected', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'F44 accept vetoes all',
    candidates: [
      { name: 'a', plays: ['<a>', stall] },
      { name: 'b', plays: ['<b>', stall] },
    ],
    options: { accept: () => false, rethrow: 'aggregate' },
    elements: [],
    end: {
      error: { asymmetricMatch: (error: { message: string }) => error.message.includes('a: rejected; b: rejected') },
    },
    log: AB,
    attempts: ['a:rejected', 'b:rejected'],
    circuits: { a: 'closed 1', b: 'closed 1' },
  },
  {
    title: 'F44 accept throws',
    candidates: [{ name: 'a', plays: ['a1', 'a2'], accept: broken }, b],
    ...toB,
    attempts: ['a:rejected', 'b:ok'],
    faultyHooks: ['accept'],
  },
  {
    title: 'F44 accept rejects',
    candidates: [{ name: 'a', plays: ['a1', 'a2'], accept: () => Promise.reject(new Error('no')) }, b],
    ...toB,
    attempts: ['a:rejected', 'b:ok'],
    faultyHooks: ['accept'],
  },
  {
    title: 'accept takes its time: no',
    candidates: [{ name: 'a', plays: ['a1', 'a2'], accept: () => Promise.resolve(false) }, b],
    ...toB,
    attempts: ['a:rejected', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'accept takes its time: yes, and what comes meanwhile is in order',
    candidates: [{ name: 'a', plays: ['a1', 'a2', 'a3'], accept: () => Promise.resolve(true) }, b],
    elements: ['a1', 'a2', 'a3'],
    log: A,
    attempts: ['a:ok'],
  },
  {
    title: 'accept takes longer than the timeout',
    candidates: [{ name: 'a', plays: ['a1', 'a2'], accept: never }, b],
    options: { timeout: 15 },
    takes: 15,
    ...toB,
    attempts: ['a:timeout', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'accept is asked about the first element only',
    candidates: [{ name: 'a', plays: ['good', 'bad'] }, b],
    options: { accept: (element) => element === 'good' },
    elements: ['good', 'bad'],
    log: A,
    attempts: ['a:ok'],
  },
  {
    title: 'assess says what the first element is',
    candidates: [{ name: 'a', plays: [{ quota: 0 }, stall] }, b],
    options: { assess: (element) => (element === 'b1' ? undefined : { kind: 'rate-limited', retryAfter: 9_000 }) },
    ...toB,
    attempts: ['a:rate-limited', 'b:ok'],
    circuits: { a: 'open 1' },
  },
  {
    title: 'assess says terminal',
    candidates: [{ name: 'a', plays: ['a1', stall], assess: () => 'terminal' }, b],
    elements: [],
    end: { error: { asymmetricMatch: (error: Error) => error.name === 'RejectedResultError' } },
    log: A,
    attempts: ['a:terminal'],
  },
  {
    title: 'classify is asked about what was thrown before the first element',
    candidates: [{ name: 'a', plays: [fail(badRequest)], classify: () => 'transient' }, b],
    ...toB,
    attempts: ['a:transient', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
];

/** Elements that carry nothing yet, and errors that come as elements. */
export const PRIMING_CASES: readonly StreamCase[] = [
  {
    title: 'polite elements do not stop the timeout',
    candidates: [{ name: 'a', plays: [start, wait(10), delta, wait(10), 'late'] }, b],
    options: { commitWhen: isText, timeout: 15 },
    takes: 15,
    ...toB,
    attempts: ['a:timeout', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'polite elements, then a failure: none of them is seen',
    candidates: [{ name: 'a', plays: [start, delta, fail(down)] }, b],
    options: { commitWhen: isText },
    ...toB,
    attempts: ['a:transient', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'polite elements, then a clean end: flushed in order, a success',
    candidates: [{ name: 'a', plays: [start, delta] }, b],
    options: { commitWhen: isText },
    elements: [start, delta],
    log: A,
    attempts: ['a:ok'],
    committed: null,
  },
  {
    title: 'polite elements, then a clean end that onEmpty takes for empty',
    candidates: [{ name: 'a', plays: [start, delta] }, b],
    options: { commitWhen: isText, onEmpty: 'continue' },
    ...toB,
    attempts: ['a:empty', 'b:ok'],
  },
  {
    title: 'accept is asked about the element that commits',
    candidates: [{ name: 'a', plays: [start, 'Hel', stall] }, b],
    options: { commitWhen: isText, accept: (element) => element !== 'Hel' },
    ...toB,
    attempts: ['a:rejected', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'an error in band as the first element, without commitWhen',
    candidates: [{ name: 'a', plays: [inBand(down), stall] }, b],
    options: { errorIn },
    ...toB,
    attempts: ['a:transient', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'an error in band that is terminal is thrown as it is',
    candidates: [{ name: 'a', plays: [start, inBand(badRequest), stall] }, b],
    options: { commitWhen: isText, errorIn },
    elements: [],
    end: { error: badRequest },
    log: A,
    attempts: ['a:terminal'],
  },
  {
    title: 'errors in band from all',
    candidates: [
      { name: 'a', plays: [inBand(down), stall] },
      { name: 'b', plays: [start, inBand(overloaded), stall] },
    ],
    options: { commitWhen: isText, errorIn },
    elements: [],
    end: { error: exhausted(down, overloaded) },
    log: AB,
    attempts: ['a:transient', 'b:transient'],
    circuits: { a: 'closed 1', b: 'closed 1' },
  },
  {
    title: "an error in band after the commit passes as an element, and is its candidate's failure",
    candidates: [{ name: 'a', plays: ['Hel', inBand(down), 'lo'] }, b],
    options: { commitWhen: isText, errorIn },
    elements: ['Hel', inBand(down), 'lo'],
    log: A,
    attempts: ['a:transient'],
    circuits: { a: 'closed 1' },
  },
  ...(['commitWhen', 'errorIn'] as const).map((hook): StreamCase => ({
    title: `${hook} throws: a is rejected, and is not to blame`,
    candidates: [{ name: 'a', plays: ['a1', stall] }, b],
    options: { [hook]: (element: unknown) => (element === 'a1' ? broken() : hook === 'commitWhen' || undefined) },
    ...toB,
    attempts: ['a:rejected', 'b:ok'],
    faultyHooks: [hook],
  })),
  {
    title: 'silence after a polite element is a silence too',
    candidates: [{ name: 'a', plays: [start, wait(20), 'late'] }, b],
    options: { commitWhen: isText, idleTimeout: 10, timeout: 100 },
    takes: 10,
    ...toB,
    attempts: ['a:timeout', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
];
