/** The npm packages that do something alike, from the side folder compat/peers; null if it is not installed. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { QUERY, good } from './subjects.mjs';

const home = fileURLToPath(new URL('../../compat/peers/package.json', import.meta.url));
const isInstalled = existsSync(fileURLToPath(new URL('../../compat/peers/node_modules', import.meta.url)));

/** Two candidates, a limit of one second, a breaker: the case of goal 2 in each peer's own words. */
export function peers() {
  if (!isInstalled) return null;
  const load = createRequire(home);
  load('reflect-metadata');
  load('@nestjs/common').Logger.overrideLogger(false);
  const breaker = opossum(load('opossum'));
  return {
    subjects: {
      opossum: () => breaker.fire(QUERY),
      cockatiel: cockatiel(load('cockatiel')),
      'nestjs-resilience': resilience(load('nestjs-resilience')),
    },
    close: () => breaker.shutdown(),
  };
}

function opossum(CircuitBreaker) {
  const breaker = new CircuitBreaker(good(), { timeout: 1_002, resetTimeout: 5_000 });
  breaker.fallback(good());
  return breaker;
}

function cockatiel({ ConsecutiveBreaker, TimeoutStrategy, circuitBreaker, fallback, handleAll, timeout, wrap }) {
  const first = good();
  const policy = wrap(
    fallback(handleAll, good()),
    circuitBreaker(handleAll, { halfOpenAfter: 5_000, breaker: new ConsecutiveBreaker(3) }),
    timeout(1_003, TimeoutStrategy.Aggressive),
  );
  return () => policy.execute(() => first(QUERY));
}

function resilience(peer) {
  class Host {}
  const descriptor = { value: good(), writable: true, configurable: true };
  const strategies = [
    new peer.TimeoutStrategy(1_004),
    new peer.CircuitBreakerStrategy(),
    new peer.FallbackStrategy(good()),
  ];
  peer.UseResilience(...strategies)(Host.prototype, 'call', descriptor);
  Object.defineProperty(Host.prototype, 'call', descriptor);
  const host = new Host();
  return () => host.call(QUERY);
}
