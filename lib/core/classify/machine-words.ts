/**
 * The strings by which machines tell errors apart, wherever clients keep them: on the error, in the parsed body of the
 * answer, and in JSON that a client left in the message.
 */
import { isObject, read } from './read.js';

const ON_THE_ERROR = ['code', 'type', 'name', 'status', 'Code', 'reason', '__type', 'rawType'];
const IN_A_BODY = ['code', 'type', 'status'];
const MAX_JSON = 100_000;
const NONE: readonly object[] = [];

function parseMessage(message: string): unknown {
  if (!message.startsWith('{') || message.length > MAX_JSON) return undefined;
  try {
    return JSON.parse(message) as unknown;
  } catch {
    return undefined;
  }
}

/** @internal */
export function bodiesOf(node: object, message: string): readonly object[] {
  const response = read(node, 'response');
  const candidates = [read(node, 'error'), read(node, 'body'), parseMessage(message)];
  if (isObject(response)) candidates.push(read(response, 'data'), read(response, 'body'));
  if (!candidates.some(isObject)) return NONE;
  return candidates.flatMap((body) => [body, read(body, 'error')]).filter(isObject);
}

/** AWS writes `namespace#Code` in `__type`. */
function collect(words: string[], of: object, keys: readonly string[]): void {
  for (const key of keys) {
    const word = read(of, key);
    if (typeof word === 'string') words.push(key === '__type' ? word.slice(word.indexOf('#') + 1) : word);
  }
}

/** @internal */
export function wordsOf(node: object, bodies: readonly object[]): readonly string[] {
  const words: string[] = [];
  collect(words, node, ON_THE_ERROR);
  for (const body of bodies) collect(words, body, IN_A_BODY);
  return words;
}
