// A model in the style of Anthropic's messages: named events, and several of them before the first word.
import { speak } from './speak.mjs';

const frame = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'sonata-1', content: [], stop_reason: null };
const error = (type, message) => ({ type: 'error', error: { type, message } });

speak({
  text: 'A fallback is a promise that somebody answers, and that you are told who it was.',
  open: [
    frame({ type: 'message_start', message: { ...head, usage: { input_tokens: 9, output_tokens: 1 } } }),
    frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    frame({ type: 'ping' }),
  ],
  word: (text) => frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  close: [
    frame({ type: 'content_block_stop', index: 0 }),
    frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 16 } }),
    frame({ type: 'message_stop' }),
  ],
  failure: frame(error('overloaded_error', 'Overloaded')),
  refusal: error('rate_limit_error', 'Too many requests'),
});
