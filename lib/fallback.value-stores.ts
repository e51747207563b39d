/** In which store a decorated method's last known good values are kept: said by it, injected into its host, or the standard one. */
import { show } from './core/option-rules.js';
import { isStore } from './core/value-store.js';
import type { CacheLike, ValueStore } from './core/value-store.js';
import { slotOf, storeToken } from './decorators/injection.js';
import { hasMethod } from './decorators/property-in.js';
import { UNSEEN, providerName } from './decorators/provider-candidates.js';
import type { Policy } from './decorators/policy.js';
import type { Token } from './decorators/candidate-ref.js';
import { MESSAGES } from './fallback.messages.js';
import { Places } from './stores/places.js';
import type { Shelves } from './stores/shelves.js';

type Store = ValueStore | CacheLike;

/** What is known of the class or instance that carries a policy. */
interface Host {
  readonly prototype: object;
  readonly providerOf: (token: Token<unknown>) => object | undefined;
}

/** Where the values of a policy's chain are; takes the host's class and store, so that both are known before a call. @internal */
export function placesOf(policy: Policy, host: Host, chain: string, shelves: Shelves): Places {
  const [degraded] = policy.degraded;
  const token = storeToken(degraded);
  if (token === undefined) {
    const store = degraded?.lastKnownGood?.store as Store | undefined;
    const shelf = store === undefined ? shelves.standard : shelves.of(store);
    const places = shelves.placesOf(policy, () => new Places(chain, () => shelf));
    places.meet(host.prototype.constructor, shelf);
    return places;
  }
  const slot = slotOf(policy.target, token);
  const shelfOf = (instance: object) => shelves.of((instance as Record<symbol, Store | undefined>)[slot]);
  const places = shelves.placesOf(policy, () => new Places(chain, shelfOf));
  const store = host.providerOf(token);
  // Of a store that is made anew for each request there is only its prototype.
  const isMade = isStore(store) && !Object.hasOwn(store, 'constructor');
  places.meet(host.prototype.constructor, isMade ? shelves.of(store) : undefined);
  return places;
}

/** What is wrong with the provider that `lastKnownGood.store` names. @internal */
export function faultOfStore(policy: Policy, host: Host): string | undefined {
  const token = storeToken(policy.degraded[0]);
  if (token === undefined) return undefined;
  const store = host.providerOf(token);
  if (store === undefined) return MESSAGES.noStore(providerName(token));
  if (store === UNSEEN) return undefined;
  const isUsable =
    hasMethod(store, 'get') && hasMethod(store, 'set') && (hasMethod(store, 'delete') || hasMethod(store, 'del'));
  return isUsable ? undefined : MESSAGES.notAStore(`${providerName(token)}, ${show(store)}`);
}
