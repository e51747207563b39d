import { nameOf } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import type { Host } from './fallback.compiler.js';
import { MESSAGES } from './fallback.messages.js';

/** Where decorated methods run when they are called by the names of their chains. @internal */
export class NamedHosts {
  private readonly instances = new Map<Policy, Map<object, object | undefined>>();

  /** One class may be provided in several modules: the first instance is as good as any. */
  add(policy: Policy, { prototype, instance }: Host): void {
    let known = this.instances.get(policy);
    if (known === undefined) this.instances.set(policy, (known = new Map()));
    known.set(prototype, known.get(prototype) ?? instance);
  }

  /** The instance of the class that declares the method, else of the one class that inherits it. @throws Error if there is none */
  pick(policy: Policy): object {
    const { target, key } = policy;
    const known = this.instances.get(policy) ?? new Map<object, object | undefined>();
    const classes = known.has(target) ? [target] : [...known.keys()];
    const where = nameOf(target, key);
    if (classes.length > 1) throw new Error(MESSAGES.severalHosts(where, classes.map(classNameOf).join(', ')));
    const instance = classes.length === 0 ? undefined : known.get(classes[0]!);
    if (instance === undefined) throw new Error(MESSAGES.noHost(where));
    return instance;
  }
}

function classNameOf(prototype: object): string {
  return prototype.constructor.name;
}
