/** Whether `value` must be awaited. @internal */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}

/**
 * Whether a hook that must answer at once gave a promise instead, or something that cannot even be asked. What becomes
 * of it is nobody's business any more.
 * @internal
 */
export function isLate(value: unknown): boolean {
  try {
    if (!isThenable(value)) return false;
    value.then(ignore, ignore);
  } catch {
    // as good as a promise that rejects
  }
  return true;
}

/** The reaction of those who no longer care. @internal */
export const ignore = (): void => {};

/** Does what must not fail anybody: how it ends, now or later, is of no interest. @internal */
export function quietly(act: () => unknown): void {
  try {
    const given = act();
    if (isThenable(given)) given.then(ignore, ignore);
  } catch {
    // see above
  }
}
