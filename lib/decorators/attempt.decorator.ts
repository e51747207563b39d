import { FallbackConfigurationError } from '../core/errors.js';
import { MESSAGES } from '../fallback.messages.js';
import { markParameter } from './policy.js';
import type { Marked } from './policy.js';

function marking(decorator: string, what: keyof Marked): ParameterDecorator {
  return (target, key, place) => {
    if (typeof target === 'function' || key === undefined) {
      const where = typeof target === 'function' ? target.name : target.constructor.name;
      throw new FallbackConfigurationError([{ where, message: MESSAGES.notStatic(decorator) }]);
    }
    markParameter(what, target, key, place);
  };
}

/**
 * Marks the parameter where a method wants to know of the attempt it is.
 * @example async editorsPicks(userId: string, @Attempt() attempt?: AttemptContext): Promise<Pick[]> { … }
 * @publicApi
 */
export function Attempt(): ParameterDecorator {
  return marking('Attempt', 'context');
}

/**
 * Marks the parameter that holds a caller's signal. The chain listens to the caller's, and hands each attempt its own.
 * @example async picksFor(userId: string, @AttemptSignal() signal?: AbortSignal): Promise<Pick[]> { … }
 * @publicApi
 */
export function AttemptSignal(): ParameterDecorator {
  return marking('AttemptSignal', 'signal');
}
