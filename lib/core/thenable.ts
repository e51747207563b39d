/** Whether `value` must be awaited. @internal */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}

/** Whether a hook that must answer at once gave a promise instead; what becomes of that is nobody's business. @internal */
export function isLate(value: unknown): boolean {
  if (!isThenable(value)) return false;
  value.then(ignore, ignore);
  return true;
}

/** The reaction of those who no longer care. @internal */
export const ignore = (): void => {};
