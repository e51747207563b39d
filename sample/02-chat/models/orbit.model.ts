import { Injectable } from '@nestjs/common';
import { AttemptSignal } from 'nestjs-fallback';
import { converse } from './converse.js';
import { ModelsService } from './models.service.js';
import { failure, word } from './token.js';
import type { Failure, Token } from './token.js';

interface OrbitChunk {
  choices?: { delta: { content?: string } }[];
  error?: Failure;
}

/** In the style of OpenAI's chat completions: every event is a chunk, and a failure is a chunk, too. */
@Injectable()
export class OrbitModel {
  constructor(private readonly models: ModelsService) {}

  answer(prompt: string, @AttemptSignal() signal?: AbortSignal): AsyncGenerator<Token> {
    const url = this.models.url('orbit', '/v1/chat/completions');
    const body = { model: 'orbit-1', messages: [{ role: 'user', content: prompt }] };
    return converse({ url, body, signal }, read);
  }
}

function read(data: string): Token | undefined {
  if (data === '[DONE]') return undefined;
  const { choices, error } = JSON.parse(data) as OrbitChunk;
  return error === undefined ? word(choices?.[0]?.delta.content) : failure(error);
}
