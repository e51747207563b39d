import type { StreamCase } from '../support/stream-check.js';
import { fail, wait } from '../support/stream-sources.js';
import { A, AB, b, down, toB } from './commit-cases.js';

const free = { cost: 0 };
const paid = { cost: 1 };
const nothing = (name: string, more: object = {}) => ({ name, plays: [], ...more });
const both = { elements: [], log: AB } as const;

export const EMPTY_CASES: readonly StreamCase[] = [
  {
    title: 'F48 a stream without elements, untiered: a success',
    candidates: [nothing('a'), b],
    elements: [],
    log: A,
    attempts: ['a:ok'],
    receipt: { servedBy: 'a', degraded: false },
  },
  {
    title: 'F48 the same, later',
    candidates: [{ name: 'a', plays: [wait(5)] }, b],
    takes: 5,
    elements: [],
    log: A,
    attempts: ['a:ok'],
  },
  {
    title: 'F48 a stream without elements, free: b is tried',
    candidates: [nothing('a', free), b],
    ...toB,
    attempts: ['a:empty', 'b:ok'],
  },
  {
    title: 'F48 a stream without elements, paid: that is the answer',
    candidates: [nothing('a', paid), b],
    elements: [],
    log: A,
    attempts: ['a:empty'],
    receipt: { servedBy: 'a', degraded: false, cost: 1 },
  },
  {
    title: 'F48 all empty and free: the first empty stream is the answer, undegraded',
    candidates: [nothing('a', free), nothing('b', free)],
    ...both,
    attempts: ['a:empty', 'b:empty'],
    receipt: { degraded: false },
  },
  {
    title: 'an empty stream is held while b fails',
    candidates: [nothing('a'), { name: 'b', plays: [fail(down)] }],
    options: { onEmpty: 'continue' },
    ...both,
    attempts: ['a:empty', 'b:transient'],
    circuits: { b: 'closed 1' },
    receipt: { servedBy: 'a', degraded: false },
  },
  {
    title: "onEmpty: 'stop'",
    candidates: [nothing('a'), b],
    options: { onEmpty: 'stop' },
    elements: [],
    log: A,
    attempts: ['a:empty'],
  },
  {
    title: "onEmpty: 'accept', though it is free",
    candidates: [nothing('a', free), b],
    options: { onEmpty: 'accept' },
    elements: [],
    log: A,
    attempts: ['a:empty'],
  },
  {
    title: 'onEmpty of one candidate',
    candidates: [nothing('a', { onEmpty: 'continue' }), nothing('b'), { name: 'c', plays: ['c1'] }],
    ...both,
    attempts: ['a:empty', 'b:ok'],
  },
];
