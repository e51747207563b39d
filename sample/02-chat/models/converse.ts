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

/** Asks a model and gives its answer as it comes. */
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
    // Before the first word `errorIn` has read it, and nobody asks for more. Later it ends the answer like any failure.
    if (token.error !== undefined) throw token.error;
  }
  throw new Error('The model broke off before the end of its answer');
}
