import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { policyOf } from './decorators/runtime-of.js';
import type { Policy } from './decorators/policy.js';
import { handled } from './fallback.passage.js';
import { answersItself, isSseHandler } from './fallback.routes.js';
import { currentFrame } from './http/scope.js';

/**
 * Runs the ladder of a decorated handler with all that stands behind this interceptor as candidate 0, so that inner
 * interceptors' mapping belongs to the handler's own answer. Handlers without a ladder are passed through.
 * @example @UseInterceptors(FallbackInterceptor, ClassSerializerInterceptor)
 * @publicApi
 */
@Injectable()
export class FallbackInterceptor implements NestInterceptor {
  /** Called by Nest. */
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<NestInterceptor['intercept']> {
    const policy = policyOf(context.getHandler());
    return policy === undefined || isWrappers(policy, context) ? next.handle() : handled(policy, next);
  }
}

/** Whether the ladder is the wrapper's: one interceptor runs a call already, or Nest would not send its answer. */
function isWrappers(policy: Policy, context: ExecutionContext): boolean {
  if (currentFrame()?.claimOn(policy) != null) return true;
  if (context.getType() !== 'http') return false;
  const controller = context.getClass();
  return isSseHandler(policy, controller.prototype as object) || answersItself(controller, policy.key);
}
