import { Controller, Query, Sse } from '@nestjs/common';
import { AttemptSignal, Degraded, FallbackChain } from 'nestjs-fallback';
import { from } from 'rxjs';
import type { Observable } from 'rxjs';
import { SonataModel } from '../models/sonata.model.js';
import type { Token } from '../models/token.js';
import { COMMON_QUESTIONS } from './common-questions.js';
import { MODEL_LADDER, OTHER_MODELS } from './model-ladder.js';

/**
 * Two models and server-sent events. The ladders stand on the handlers, so that Nest sends the head of a response when a
 * model has said its first word: the headers say which one, and if none does, the status is an honest 503.
 */
@Controller()
export class ChatController {
  constructor(private readonly sonata: SonataModel) {}

  /** Nothing stands in for an answer. */
  @Sse('chat')
  @FallbackChain(OTHER_MODELS, { name: 'chat', ...MODEL_LADDER })
  async *chat(@Query('prompt') prompt: string, @AttemptSignal() signal?: AbortSignal): AsyncGenerator<Token> {
    yield* this.sonata.answer(prompt, signal);
  }

  /** What to ask next. If no model has an idea, it is what everybody asks, marked. */
  @Sse('suggestions')
  @FallbackChain(OTHER_MODELS, { name: 'suggestions', ...MODEL_LADDER })
  @Degraded({ substitute: COMMON_QUESTIONS, mark: (token: Token): Token => ({ ...token, type: 'degraded' }) })
  suggest(@Query('about') about: string, @AttemptSignal() signal?: AbortSignal): Observable<Token> {
    return from(this.sonata.answer(`What to ask next about ${about}`, signal));
  }
}
