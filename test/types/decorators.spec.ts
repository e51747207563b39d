import { readFileSync } from 'node:fs';
import { COMMON_JS, project } from './consumer.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const ACCEPTED = ['decorators.types.ts', 'answers.types.ts', 'streams.types.ts'];
const REFUSED = ['refused.types.ts', 'refused-methods.types.ts', 'refused-streams.types.ts'];
const EXPECTED = /\/\/ @ts-expect-error: (.*)/;

/** Types are printed as lists of words: `["candidate", "alt", "is not …"]` reads as `candidate alt is not …`. */
const plain = (message: string): string => message.replaceAll(/["'[\]]/g, '').replaceAll(', ', ' ');

const files = Object.fromEntries([
  ...ACCEPTED.map((name) => [name, read(name)]),
  ...REFUSED.map((name) => [name, read(name).replaceAll('@ts-expect-error', '')]),
]);
const strict = project(files);

it.each(ACCEPTED)('compiles every line of %s', (name) => {
  expect(strict.faults(name)).toEqual([]);
});

it.each(REFUSED)('says in words what is wrong in %s', (name) => {
  const lines = read(name).split('\n');
  const expected = lines.flatMap((line, index) => {
    const words = EXPECTED.exec(line)?.[1];
    return words === undefined ? [] : [{ line: index + 2, words: plain(words) }];
  });
  const said = strict.faults(name).map((fault, index) => {
    const words = expected[index]?.words ?? '';
    const text = plain(fault);
    return { line: Number(/^line (\d+)/.exec(fault)?.[1]), words: text.includes(words) ? words : text };
  });
  expect(said).toEqual(expected);
});

it('has declarations that stand on their own in a module', () => {
  expect(strict.faults()).toEqual([]);
});

it('has declarations that stand on their own in CommonJS without strict checks', () => {
  const lenient = project(Object.fromEntries(ACCEPTED.map((name) => [name, read(name)])), COMMON_JS);
  expect([lenient.faults(), ...ACCEPTED.map((name) => lenient.faults(name))].flat()).toEqual([]);
});
