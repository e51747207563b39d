import { readEvents } from '../../stage/read-events.js';
import { UpstreamError } from '../../stage/upstream-error.js';
import type { Token } from './token.js';

/** One question to a model. */
export interface Question {
  url: URL;
  body: object;
  /** the attempt's: whoever gives the model up ends the request, too */
  signal: AbortSignal | undefined;
}

/** What an event of the model's dialect says; undefined at the end of the answer. */
export type Dialect = (data: string) => Token | undefined;

/**
 * Asks a model and gives its answer as it comes. What the model says of a failure is a token, too: before the first word
 * `errorIn` reads it, and later the answer has no end, which is a failure whatever the reason.
 */
export async function* converse({ url, body, signal }: Question, read: Dialect): AsyncGenerator<Token> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
    signal: signal ?? null,
  });
  if (!response.ok) throw new UpstreamError(response);

  for await (const { data } of readEvents(response)) {
    const token = read(data);
    if (token === undefined) return;
    yield token;
  }
  throw new Error('The model broke off before the end of its answer');
}
