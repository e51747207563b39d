/** Whether `value` must be awaited. @internal */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}

/** The reaction of those who no longer care. @internal */
export const ignore = (): void => {};
