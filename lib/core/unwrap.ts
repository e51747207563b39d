import { isServed } from './marks.js';
import type { CallView } from './plan.js';

/** What is in the envelope, where every answer of the method comes in one. @internal */
export function unwrap({ plan }: Pick<CallView, 'plan'>, given: unknown): unknown {
  return plan.marker?.wrapsAll === true && isServed(given) ? given.value : given;
}
