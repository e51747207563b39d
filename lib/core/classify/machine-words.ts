/**
 * The strings by which machines tell errors apart, wherever clients keep them: on the error, in the body of the answer,
 * parsed or not, and in JSON that a client left in the message.
 */
import { isObject, read } from './read.js';

const ON_THE_ERROR = ['code', 'type', 'name', 'status', 'Code', 'reason', '__type', 'rawType'];
const IN_A_BODY = ['code', 'type', 'status'];
const MAX_JSON = 100_000;
const NONE: readonly object[] = [];

/** Clients hand over what they did not parse. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{') || value.length > MAX_JSON) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * @param isAnswer whether a client tells of an HTTP status: what else is called `data` is no body
 * @internal
 */
export function bodiesOf(node: object, message: string, isAnswer: boolean): readonly object[] {
  const response = read(node, 'response');
  const texts = [read(node, 'body'), message];
  if (isObject(response)) texts.push(read(response, 'data'), read(response, 'body'), read(response, 'bodyAsText'));
  if (isAnswer) texts.push(read(node, 'data'), read(node, 'responseBody'));
  const candidates = [read(node, 'error'), ...texts.map(parsed)];
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
