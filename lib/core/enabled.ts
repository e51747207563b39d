import { isLate } from './thenable.js';
import type { ChainPlan } from './plan.js';

/** What a run-time switch says. One that throws, or wants to be awaited, is on: it must not take down with it what it switches. @internal */
export function isEnabled(plan: ChainPlan, host: unknown, enabled: (() => boolean) | null | undefined): boolean {
  if (enabled === null || enabled === undefined) return true;
  try {
    const said: unknown = enabled.call(host);
    if (!isLate(said)) return Boolean(said);
  } catch {
    // reported below
  }
  plan.engine.report({ name: 'hook.failed', chain: plan.name, hook: 'enabled' });
  return true;
}
