/**
 * Rules 7 to 9. Errors of the language itself are mistakes in the program, except for two: JSON that a provider broke
 * off, and what fetch calls a TypeError. Told by prototype, since axios sets `name = 'TypeError'` on errors of its own.
 */
import type { Facts } from './facts.js';
import { BUG, TERMINAL, TRANSIENT, WEAK_TRANSIENT, type Finding } from './finding.js';
import { className, prototypeOf, read, readText } from './read.js';

const MISTAKES: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'URIError',
  'EvalError',
]);
const MAX_ANCESTORS = 16;

/** The native class it descends from, of any realm: only prototypes of natives have an own name like their class's. */
function nativeName(node: object): string | undefined {
  let prototype = prototypeOf(node);
  for (let i = 0; i < MAX_ANCESTORS && prototype !== null && prototype !== Error.prototype; i += 1) {
    const name = className(prototype);
    if (MISTAKES.has(name) && read(prototype, 'name') === name) return name;
    prototype = prototypeOf(prototype);
  }
  return undefined;
}

/** @internal */
export function nativeError({ node, message }: Facts): Finding | undefined {
  const name = nativeName(node);
  if (name === undefined) return undefined;
  if (name === 'SyntaxError' && /\bJSON\b/.test(message)) return TRANSIENT;
  if (name === 'TypeError' && (message === 'fetch failed' || message === 'terminated')) {
    const why = readText(read(node, 'cause'), 'message');
    return why === 'unknown scheme' || why === 'bad port' ? TERMINAL : WEAK_TRANSIENT;
  }
  return BUG;
}
