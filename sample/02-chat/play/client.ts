import { answerOf } from '../../stage/answer.js';
import type { Answer } from '../../stage/answer.js';
import { readEvents } from '../../stage/read-events.js';

/** What a browser makes of the events. */
export interface Spoken extends Answer {
  text: string;
  /** how many of the events are marked in the body, too */
  marked: number;
  /** an event told that the answer ends in the middle */
  brokeOff: boolean;
}

export async function listen(base: string, path: string): Promise<Spoken> {
  const response = await fetch(base + path);
  const spoken: Spoken = { ...answerOf(response), text: '', marked: 0, brokeOff: false };
  if (!response.ok) return spoken;
  for await (const { event, data } of readEvents(response)) {
    if (event === 'error') return { ...spoken, brokeOff: true };
    if (event === 'degraded') spoken.marked++;
    spoken.text += data;
  }
  return spoken;
}
