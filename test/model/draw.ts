/** How random parts are drawn. */
import * as fc from 'fast-check';

/** Present in so many of ten; shrinks to absent. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>, outOfTen = 5): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 10 - outOfTen, arbitrary: fc.constant(undefined) },
    { weight: outOfTen, arbitrary },
  );

/** A record whose absent members are absent, as a user's options are. */
export function record<T extends object>(model: { [K in keyof T]-?: fc.Arbitrary<T[K] | undefined> }): fc.Arbitrary<T> {
  return fc
    .record(model as { [K in keyof T]: fc.Arbitrary<T[K]> })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T);
}

/** Weighted; shrinks to the first. */
export const oneOf = <T>(...weighted: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.constantFrom(...weighted.flatMap(([weight, value]) => Array.from({ length: weight }, () => value)));
