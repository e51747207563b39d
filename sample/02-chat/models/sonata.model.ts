import { Injectable } from '@nestjs/common';
import { AttemptSignal } from 'nestjs-fallback';
import { converse } from './converse.js';
import { ModelsService } from './models.service.js';
import { failure, word } from './token.js';
import type { Failure, Token } from './token.js';

type SonataEvent =
  | { type: 'content_block_delta'; delta: { type: 'text_delta'; text: string } }
  | { type: 'message_start' | 'content_block_start' | 'ping' | 'content_block_stop' | 'message_delta' | 'message_stop' }
  | { type: 'error'; error: Failure };

/** In the style of Anthropic's messages: each event says what it is. */
@Injectable()
export class SonataModel {
  constructor(private readonly models: ModelsService) {}

  answer(prompt: string, @AttemptSignal() signal?: AbortSignal): AsyncGenerator<Token> {
    const url = this.models.url('sonata', '/v1/messages');
    const body = { model: 'sonata-1', max_tokens: 256, messages: [{ role: 'user', content: prompt }] };
    return converse({ url, body, signal }, read);
  }
}

function read(data: string): Token | undefined {
  const event = JSON.parse(data) as SonataEvent;
  if (event.type === 'message_stop') return undefined;
  if (event.type === 'error') return failure(event.error);
  return word(event.type === 'content_block_delta' ? event.delta.text : undefined);
}
