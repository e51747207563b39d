import { BadRequestException } from '@nestjs/common';
import { expect } from '@jest/globals';
import {
  RejectedResultError,
  acceptDefined,
  acceptOk,
  acceptStatus,
  acceptTruthy,
  AttemptTimeoutError,
} from '../../lib/index.js';
import { failedOverTo, nobody, servedBy, stoppedBy } from '../support/check.js';
import type { Case } from '../support/check.js';
import { fails, gives, hangs, throws } from '../support/plays.js';

const fail = new Error('fail');
const boom = new Error('boom');
const badRequest = Object.assign(new Error('bad'), { status: 400 });
const ownBadRequest = new BadRequestException();
const foreignAbort = new DOMException('The operation was aborted', 'AbortError');
const [vetoed, alsoVetoed, good] = [{ ok: false }, { ok: false }, { ok: true }];
const [status500, status200] = [{ status: 500 }, { status: 200 }];
const [thinA, thinB, full] = [{ hits: 0, of: 'a' }, { hits: 0, of: 'b' }, { hits: 9 }];
const untouched = { a: 'closed 0', b: 'closed 0' };
const onlyBRuns = {
  value: 'b',
  calls: { a: 0, b: 1 },
  attempts: ['a:skipped(unsupported)', 'b:ok'],
  // b is the first that could have answered
  receipt: servedBy('b'),
  circuits: untouched,
};

/** An error with this value of a rejected answer. */
const rejection = (value: unknown): unknown =>
  expect.objectContaining({ name: 'RejectedResultError', constructor: RejectedResultError, value });

/** A value that three candidates give, and who is the first with an acceptable one. */
function accepting(title: string, accept: (value: any) => boolean, values: readonly unknown[], place: number): Case {
  const names = ['a', 'b', 'c'].slice(0, values.length);
  return {
    title: `F06 ${title}`,
    rungs: names.map((name, index) => ({ name, plays: gives(values[index]) })),
    options: { accept },
    runs: [
      {
        value: values[place],
        calls: Object.fromEntries(names.map((name, index) => [name, index <= place ? 1 : 0])),
        attempts: names.slice(0, place + 1).map((name, index) => `${name}:${index === place ? 'ok' : 'rejected'}`),
        receipt: failedOverTo(names[place]!),
        circuits: Object.fromEntries(names.map((name, index) => [name, index < place ? 'closed 1' : 'closed 0'])),
      },
    ],
  };
}

/** An error that ends the call at the first candidate. */
const ending = (title: string, error: unknown, plays = fails(error)): Case => ({
  title: `F05 ${title}`,
  rungs: [
    { name: 'a', plays },
    { name: 'b', plays: gives('b') },
  ],
  degraded: { substitute: 'wrong data' },
  runs: [
    {
      throws: error,
      calls: { a: 1, b: 0 },
      attempts: ['a:terminal'],
      receipt: stoppedBy('terminal'),
      circuits: untouched,
    },
  ],
});

export const LADDER_CASES: readonly Case[] = [
  {
    title: 'F01 a healthy first candidate answers alone',
    rungs: [
      { name: 'a', plays: gives('ok') },
      { name: 'b', plays: gives('b') },
    ],
    runs: [
      { value: 'ok', calls: { a: 1, b: 0 }, attempts: ['a:ok'], receipt: servedBy('a'), circuits: untouched },
      { value: 'ok', calls: { a: 2, b: 0 }, attempts: ['a:ok'], receipt: servedBy('a'), circuits: untouched },
    ],
  },
  ...[fails(fail), throws(fail)].map((plays, place): Case => ({
    title: `F02 the second answers where the first ${place === 0 ? 'rejects' : 'throws'}`,
    rungs: [
      { name: 'a', plays },
      { name: 'b', plays: gives(123) },
    ],
    runs: [
      {
        value: 123,
        calls: { a: 1, b: 1 },
        attempts: ['a:transient', 'b:ok'],
        receipt: { ...failedOverTo('b'), cost: 0 },
        circuits: { a: 'closed 1', b: 'closed 0' },
      },
    ],
  })),
  {
    title: 'F03 an answer that is not accepted gives way; when none is, their errors hold the answers',
    rungs: [
      { name: 'a', plays: gives(vetoed) },
      { name: 'b', plays: [gives(good), gives(alsoVetoed)] },
    ],
    options: { accept: (value: { ok: boolean }) => value.ok },
    runs: [
      {
        value: good,
        calls: { a: 1, b: 1 },
        attempts: ['a:rejected', 'b:ok'],
        receipt: failedOverTo('b'),
        circuits: { a: 'closed 1', b: 'closed 0' },
      },
      {
        exhausted: {
          message: 'All 2 fallback candidates failed (a: rejected; b: rejected)',
          failures: [
            ['a', rejection(vetoed)],
            ['b', rejection(alsoVetoed)],
          ],
        },
        calls: { a: 2, b: 2 },
        attempts: ['a:rejected', 'b:rejected'],
        receipt: { ...nobody, reason: 'rejected' },
        circuits: { a: 'closed 2', b: 'closed 1' },
      },
    ],
  },
  ending('an error with status 400 is thrown as it is', badRequest),
  ending("Nest's own exception of status 400 is thrown as it is", ownBadRequest),
  ending('thrown synchronously too', badRequest, throws(badRequest)),
  accepting('acceptOk', acceptOk, [vetoed, good], 1),
  accepting('acceptStatus', acceptStatus(200, 201), [status500, status200], 1),
  accepting('acceptTruthy', acceptTruthy, [null, 0, 'truthy'], 2),
  accepting('acceptDefined', acceptDefined, [null, undefined, 0], 2),
  {
    title: 'F07 everybody fails: one error with all kinds and all raw errors',
    rungs: [
      { name: 'primary', plays: fails(boom) },
      { name: 'backup', plays: hangs, timeout: 1_000 },
    ],
    runs: [
      {
        takes: 1_000,
        exhausted: {
          message: 'All 2 fallback candidates failed (primary: transient; backup: timeout)',
          failures: [
            ['primary', boom],
            [
              'backup',
              expect.objectContaining({ constructor: AttemptTimeoutError, message: 'Timed out after 1000 ms' }),
            ],
          ],
        },
        calls: { primary: 1, backup: 1 },
        attempts: ['primary:transient', 'backup:timeout'],
        receipt: { ...nobody, reason: 'timeout' },
        circuits: { primary: 'closed 1', backup: 'closed 1' },
      },
    ],
  },
  {
    title: 'F07 one candidate only: the same shape',
    rungs: [{ name: 'primary', plays: fails(boom) }],
    runs: [
      {
        exhausted: { message: 'All 1 fallback candidates failed (primary: transient)', failures: [['primary', boom]] },
        calls: { primary: 1 },
        attempts: ['primary:transient'],
        receipt: { ...nobody, reason: 'transient' },
        circuits: { primary: 'closed 1' },
      },
    ],
  },
  {
    title: 'F12 an AbortError that the caller did not cause is an ordinary failure',
    rungs: [
      { name: 'a', plays: fails(foreignAbort) },
      { name: 'b', plays: gives(2) },
    ],
    options: { timeout: 10 },
    runs: [
      {
        value: 2,
        calls: { a: 1, b: 1 },
        attempts: ['a:transient', 'b:ok'],
        receipt: failedOverTo('b'),
        circuits: { a: 'closed 1', b: 'closed 0' },
      },
    ],
  },
  ...[() => false, () => Promise.resolve(false)].map((supports, place): Case => ({
    title: `F15 a candidate that does not support the arguments is passed over${place === 0 ? '' : ' (told later)'}`,
    rungs: [
      { name: 'a', plays: gives('a'), supports },
      { name: 'b', plays: gives('b') },
    ],
    runs: [onlyBRuns],
  })),
  ...[
    () => {
      throw boom;
    },
    () => Promise.reject(boom),
  ].map((supports, place): Case => ({
    title: `F15 supports that ${place === 0 ? 'throws' : 'rejects'} says no, with one warning`,
    rungs: [
      { name: 'a', plays: gives('a'), supports },
      { name: 'b', plays: gives('b') },
    ],
    runs: [{ ...onlyBRuns, faultyHooks: ['supports'] }],
  })),
  {
    title: 'F16 a thin answer is held while a better one is looked for',
    rungs: [
      { name: 'a', plays: gives(thinA) },
      { name: 'b', plays: [gives(full), fails(fail), gives(thinB)] },
    ],
    options: { assess: (value: { hits: number }) => (value.hits === 0 ? 'thin' : undefined) },
    runs: [
      {
        value: full,
        calls: { a: 1, b: 1 },
        attempts: ['a:thin', 'b:ok'],
        receipt: failedOverTo('b'),
        circuits: untouched,
      },
      {
        value: thinA,
        calls: { a: 2, b: 2 },
        attempts: ['a:thin', 'b:transient'],
        receipt: { ...servedBy('a'), degraded: true, reason: 'thin' },
        circuits: { a: 'closed 0', b: 'closed 1' },
      },
      {
        value: thinA,
        calls: { a: 3, b: 3 },
        attempts: ['a:thin', 'b:thin'],
        receipt: { ...servedBy('a'), degraded: true, reason: 'thin' },
        circuits: untouched,
      },
    ],
  },
];
