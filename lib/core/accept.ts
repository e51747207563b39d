/** Ready-made `accept` hooks. */

/** A response whose `ok` is true. @example accept: acceptOk @publicApi */
export const acceptOk = (response: { ok: boolean }): boolean => response.ok;

/** A response with one of these statuses. @example accept: acceptStatus(200, 201) @publicApi */
export const acceptStatus =
  (...codes: number[]) =>
  (response: { status: number }): boolean =>
    codes.includes(response.status);

/** Anything true. @example accept: acceptTruthy @publicApi */
export const acceptTruthy = (value: unknown): boolean => Boolean(value);

/** Anything but `null` and `undefined`. @example accept: acceptDefined @publicApi */
export const acceptDefined = (value: unknown): boolean => value !== null && value !== undefined;
