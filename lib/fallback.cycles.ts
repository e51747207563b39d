/** Chains that are each other's candidates would call each other for ever; start-up finds them. */
import type { ConfigurationFault } from './core/errors.js';
import { isFrom } from './decorators/candidate-ref.js';
import type { CandidateRef } from './decorators/candidate-ref.js';
import { nameOf } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import { propertyIn } from './decorators/property-in.js';
import { policyOf } from './decorators/runtime-of.js';
import type { Host } from './fallback.compiler.js';
import { MESSAGES } from './fallback.messages.js';

/** Which chains have which others as candidates. @internal */
export class CandidateGraph {
  private readonly inner = new Map<Policy, Set<Policy>>();

  add(policy: Policy, host: Host): void {
    const known = this.inner.get(policy) ?? new Set();
    const refs: unknown = policy.ladders[0]?.candidates;
    for (const ref of Array.isArray(refs) ? (refs as CandidateRef[]) : []) {
      const found = innerOf(host, ref);
      if (found !== undefined) known.add(found);
    }
    this.inner.set(policy, known);
  }

  /** One fault per cycle, which it prints. */
  faults(): ConfigurationFault[] {
    const done = new Set<Policy>();
    return [...this.inner.keys()].flatMap((policy) => {
      const cycle = this.cycleFrom(policy, [], done);
      if (cycle === undefined) return [];
      const names = cycle.map(({ target, key }) => nameOf(target, key));
      return [{ where: names[0]!, option: 'candidates', message: MESSAGES.cycle([...names, names[0]!].join(' → ')) }];
    });
  }

  private cycleFrom(policy: Policy, path: readonly Policy[], done: Set<Policy>): readonly Policy[] | undefined {
    const start = path.indexOf(policy);
    if (start >= 0) return path.slice(start);
    if (done.has(policy)) return undefined;
    done.add(policy);
    for (const next of this.inner.get(policy) ?? []) {
      const cycle = this.cycleFrom(next, [...path, policy], done);
      if (cycle !== undefined) return cycle;
    }
    return undefined;
  }
}

/** The chain that a candidate is, if it is a decorated method. */
function innerOf(host: Host, ref: CandidateRef): Policy | undefined {
  if (typeof ref === 'string' || typeof ref === 'symbol') return policyOf(propertyIn(host.prototype, ref)?.value);
  if (typeof ref !== 'object' || ref === null) return undefined;
  if (!isFrom(ref)) return 'method' in ref ? policyOf(propertyIn(host.prototype, ref.method)?.value) : undefined;
  return ref.method === undefined ? undefined : policyOf(propertyIn(host.providerOf(ref.provider), ref.method)?.value);
}
