// What both models have in common: how they answer a prompt, word by word, and what goes wrong with them.
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../../stage/child.mjs';

const PAUSE = 5;
const WORDS_BEFORE_IT_BREAKS = 3;

/**
 * Serves a model that speaks one dialect of server-sent events.
 * @param dialect `{ text, open, word(text), close, failure, refusal }`: the frames before the first word, of a word, after
 * the last one, and of a failure in band; and the body of a 429
 */
export function speak({ text, open, word, close, failure, refusal }) {
  const words = text.split(/(?<= )/).map(word);
  const begun = [...open, ...words.slice(0, WORDS_BEFORE_IT_BREAKS)];
  const scripts = {
    well: { frames: [...open, ...words, ...close] },
    thinking: { frames: open, isHeld: true },
    overloaded: { frames: [...open, failure] },
    breaking: { frames: [...begun, failure] },
    stalling: { frames: begun, isHeld: true },
  };

  listen(async (request, response, { mood, hold }) => {
    for await (const _chunk of request); // the prompt changes nothing here
    if (mood === 'limited') {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(refusal));
      return;
    }
    const { frames, isHeld = false } = scripts[mood];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of frames) {
      response.write(frame);
      await sleep(PAUSE);
    }
    if (isHeld) hold(response);
    else response.end();
  });
}
