import type { DiscoveryService } from '@nestjs/core';
import type { Token } from './decorators/candidate-ref.js';
import { isThunk } from './decorators/injection.js';

/** What Nest knows of a provider. @internal */
export type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Module = NonNullable<Wrapper['host']>;

/**
 * The provider that Nest would inject for `token` in a module: its own, else one that an imported module exports.
 * Two modules may have twins under one token, so what any module has will not do.
 * @internal
 */
export function providerIn(module: Module | undefined, token: Token<unknown>): Wrapper | undefined {
  const key = (isThunk(token) ? token() : token) as Parameters<Module['providers']['get']>[0];
  if (module === undefined) return undefined;
  return module.providers.get(key) ?? exportedTo(module, key, new Set([module]));
}

function exportedTo(
  module: Module,
  key: Parameters<Module['providers']['get']>[0],
  seen: Set<Module>,
): Wrapper | undefined {
  for (const imported of module.imports) {
    if (seen.has(imported)) continue;
    seen.add(imported);
    const own = imported.exports.has(key) ? imported.providers.get(key) : undefined;
    const found = own ?? exportedTo(imported, key, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
