import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { EventSourceMessage } from 'eventsource-parser/stream';

/** The server-sent events of a response, as they come. Whoever stops reading ends the request. */
export function readEvents({ body }: Response): AsyncIterable<EventSourceMessage> {
  return body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}
