/**
 * Two copies of the package (its ESM and its CommonJS build, say) can meet in one process and must agree.
 * So there is no module-level state: what is shared lives on `globalThis`, under a key that names the major version.
 */

const MAJOR = 0;

/** The process-wide value called `name`, made by whichever copy asks first. @internal */
export function shared<T>(name: string, create: () => T): T {
  const home = globalThis as unknown as Record<symbol, T | undefined>;
  return (home[Symbol.for(`nestjs-fallback:${MAJOR}:${name}`)] ??= create());
}

/** A token or brand that every copy of the package knows under the same name. @internal */
export function brand(name: string): symbol {
  return Symbol.for(`nestjs-fallback:${name}`);
}
