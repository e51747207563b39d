import { describe, expect, it } from '@jest/globals';
import { playStream, variants } from '../support/stream-check.js';
import { COMMIT_CASES } from './commit-cases.js';
import { EMPTY_CASES } from './empty-cases.js';
import { ACCEPT_CASES, PRIMING_CASES } from './judged-cases.js';
import { LEAVING_CASES } from './leaving-cases.js';
import { SUBSTITUTE_CASES } from './substitute-cases.js';
import { TIME_CASES } from './time-cases.js';

const TABLES = [
  ['who answers', COMMIT_CASES],
  ['what the first element is judged to be', ACCEPT_CASES],
  ['elements that carry nothing yet', PRIMING_CASES],
  ['time', TIME_CASES],
  ['who leaves', LEAVING_CASES],
  ['nothing', EMPTY_CASES],
  ['substitutes', SUBSTITUTE_CASES],
] as const;

describe.each(TABLES)('%s', (_what, cases) => {
  it.each(variants(cases))('%s', async (_title, each, face, form) => {
    await playStream(each, face, form);
    expect.hasAssertions();
  });
});

it('every title is there once, and every case is played on some face', () => {
  const cases = TABLES.flatMap(([, table]) => table);
  const titles = cases.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(cases.filter((each) => variants([each]).length === 0)).toEqual([]);
});
