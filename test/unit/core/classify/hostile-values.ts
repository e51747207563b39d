/** Values that fight back when somebody looks at them. */

export const boom = (): never => {
  throw new Error('trap');
};

export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const TRAPS = ['get', 'has', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor', 'set', 'defineProperty', 'apply'];

/** A proxy that throws on everything. */
export function throwing<T extends object>(target: T): T {
  return new Proxy(target, Object.fromEntries(TRAPS.map((trap) => [trap, boom])));
}

/** Every property is a new object like it. */
export function endless(): object {
  return new Proxy({}, { get: () => endless() });
}

/** Every property is a function that gives `answer`, and has such properties too. */
export function answering(answer: unknown): object {
  return new Proxy(() => answer, { get: () => answering(answer) });
}
