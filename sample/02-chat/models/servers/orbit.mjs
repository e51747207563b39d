// A model in the style of OpenAI's chat completions: chunks without names, an error is one of them, and `[DONE]` at the end.
import { speak } from './speak.mjs';

const frame = (data) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta, finish_reason = null) =>
  frame({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'orbit-1',
    choices: [{ index: 0, delta, finish_reason }],
  });
const error = (type, message) => ({ error: { type, message, param: null, code: null } });

speak({
  text: 'A fallback answers in the place of another, as well as it can.',
  open: [chunk({ role: 'assistant', content: '' })],
  word: (content) => chunk({ content }),
  close: [chunk({}, 'stop'), 'data: [DONE]\n\n'],
  failure: frame(error('rate_limit_exceeded', 'Too many tokens')),
  refusal: error('rate_limit_exceeded', 'Too many requests'),
});
