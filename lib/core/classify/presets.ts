import type { OutcomeKind } from '../types.js';
import { classifyFailure, statusOf } from './classify.js';

/**
 * A `classify` for paid language models: a wrong key (401, 403) and whatever is not recognised stop the chain, since
 * the next candidate would only cost money. Timeouts, 429, 5xx and overload go on, with their delay, as by default.
 * @example { classify: strictLlm }
 * @publicApi
 */
export function strictLlm(error: unknown): OutcomeKind | undefined {
  const { kind } = classifyFailure(error, { unknown: 'terminal' });
  if (kind !== 'denied') return kind === 'terminal' ? 'terminal' : undefined;
  const status = statusOf(error);
  return status === 401 || status === 403 ? 'terminal' : undefined;
}
