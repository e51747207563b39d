import type { DiscoveryService } from '@nestjs/core';
import type { Token } from './decorators/candidate-ref.js';
import { isThunk } from './decorators/injection.js';

/** What Nest knows of a provider. @internal */
export type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Module = NonNullable<Wrapper['host']>;
type Key = Parameters<Module['providers']['get']>[0];

/**
 * The provider that Nest would inject for `token` in a module: its own, else one that an imported module exports.
 * Two modules may have twins under one token, so what any module has will not do.
 * @internal
 */
export function providerIn(module: Module | undefined, token: Token<unknown>): Wrapper | undefined {
  const key = (isThunk(token) ? token() : token) as Key;
  if (module === undefined) return undefined;
  return module.providers.get(key) ?? exportedBy([...module.imports], key, new Set([module]));
}

/** Looks through what modules export themselves, and through the modules that they export on. */
function exportedBy(modules: readonly Module[], key: Key, seen: Set<Module>): Wrapper | undefined {
  for (const module of modules) {
    if (seen.has(module)) continue;
    seen.add(module);
    const { exports, providers, imports } = module;
    const exportedOn = [...imports].filter(({ metatype }) => exports.has(metatype));
    const own = exports.has(key) ? providers.get(key) : undefined;
    const found = own ?? exportedBy(exportedOn, key, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
