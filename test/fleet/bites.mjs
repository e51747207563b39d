/**
 * Proves that the fleet run bites: npm run test:fleet:bites -- [--only=1]. Each mutation makes a copy of the library wrong in one way,
 * and a short run must then say so.
 */
import { parseArgs } from 'node:util';
import { play } from './play.mjs';

/** `instead` is a text of the source; one that is not there exactly once stops the whole run. */
const MUTATIONS = [
  {
    what: 'every process has a probe of its own',
    file: 'lib/core/shared-health/mirror.ts',
    instead: 'if (period === null && !this.link.isAway) {',
    add: 'if (period === -2) {',
    finds: /in an outage the upstream was called \d+ times/,
  },
  {
    what: 'a call waits for the store, whatever its deadline',
    file: 'lib/core/stand-in.ts',
    instead: 'if (call.time !== null) race.startOwnTimer',
    add: 'if (call.time === undefined) race.startOwnTimer',
    finds: /a call was \d+ ms late/,
  },
  {
    what: "a store's rejection is handled once, and left alone once",
    file: 'lib/core/shared-health/questions.ts',
    instead: 'answer.then(settle, fail);',
    add: 'answer.then(settle);',
    finds: /unhandled: /,
  },
  {
    what: "a value is kept under somebody else's key",
    file: 'lib/substitutes/key-texts.ts',
    instead: 'prefix + canonicalKey(key)!',
    add: 'prefix + canonicalKey(key.slice(0, -1))!',
    finds: /wrong answers/,
  },
];

const say = (text) => process.stdout.write(`${text}\n`);

function mutate(text, { file, instead, add }) {
  const parts = text.split(instead);
  if (parts.length !== 2)
    throw new Error(`${file} has '${instead}' ${parts.length - 1} times: write the mutation anew`);
  return parts.join(add);
}

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const chosen = MUTATIONS.filter((_mutation, place) => only === undefined || place === Number(only) - 1);

let unfound = 0;
for (const mutation of chosen) {
  const patch = (path, text) => (path === mutation.file ? mutate(text, mutation) : text);
  const { status, stdout, stderr } = play(['--seconds=12', '--seed=3'], { encoding: 'utf8' }, patch);
  const found = status === 1 ? stdout.split('\n').find((line) => mutation.finds.test(line)) : undefined;
  if (found === undefined) unfound++;
  say(
    `${found === undefined ? 'NOT FOUND' : 'found    '} | ${mutation.what} | ${(found ?? stdout + stderr).slice(0, 160)}`,
  );
}
say(`${chosen.length - unfound} of ${chosen.length} mutations found on Node ${process.version}.`);
process.exitCode = unfound > 0 ? 1 : 0;
