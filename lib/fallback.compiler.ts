/** From the policy of a method to its chain: the specification that the engine compiles, and all that is wrong with it. */
import { faultsOfChain } from './core/chain-faults.js';
import { chainOptionsOf } from './core/chain-spec.js';
import type { CandidateSpec, ChainSpec, Layers } from './core/chain-spec.js';
import type { ConfigurationFault } from './core/errors.js';
import { faultsOfStreamHedge } from './core/hedge/hedge-faults.js';
import { isFrom } from './decorators/candidate-ref.js';
import type { CandidateRef, From, Token } from './decorators/candidate-ref.js';
import { candidateOf, primaryOf } from './decorators/candidates.js';
import { hasMethod } from './decorators/property-in.js';
import { UNSEEN, providerName } from './decorators/provider-candidates.js';
import { markedParameters, nameOf } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import { MESSAGES } from './fallback.messages.js';
import { answersItself, isHandler, isRoute, writingVerb } from './fallback.routes.js';
import { faultsOfDegraded } from './substitutes/degraded-rules.js';
import type { Shelves } from './stores/shelves.js';
import { markerOf } from './substitutes/mark.js';
import { faultsOfKind, streamKindOf } from './fallback.stream-kind.js';
import { faultOfStore, placesOf } from './fallback.value-stores.js';
import type { StreamKind } from './streaming/faces.js';
import { substitutesOf } from './substitutes/substitutes.js';

/** What is known of the class or instance that carries a policy. @internal */
export interface Host {
  readonly prototype: object;
  /** absent for request-scoped and transient classes */
  readonly instance?: object;
  readonly isController: boolean;
  readonly isRequestScoped: boolean;
  /** something with the methods of the provider that Nest injects for a token; `undefined` if there is none */
  readonly providerOf: (token: Token<unknown>) => object | undefined;
}

/** The chain of a policy; its parts that are faulty are left out. @internal */
export function specOf(policy: Policy, host: Host, shelves: Shelves): ChainSpec {
  const { options, refs, where } = read(policy);
  const name = typeof options.name === 'string' ? options.name : where;
  const { signal, context } = markedParameters(policy.target, policy.key);
  const marked = [signal, context].filter((place) => place >= 0);
  const others = refs
    .filter((ref) => ref !== policy.key)
    .map((ref, place) => candidateOf(policy, ref, place + 1))
    .filter((made): made is CandidateSpec => typeof made !== 'string');
  const degraded = policy.degraded[0];
  // What only a stream may have is refused by faultsOfPolicy.
  const isUsable = degraded !== undefined && faultsOfDegraded(degraded, where, MESSAGES, true).length === 0;
  return {
    name,
    where,
    candidates: [primaryOf(policy, options.primary?.name), ...others],
    options,
    substitutes: isUsable
      ? substitutesOf(degraded, { chain: name, marked, places: placesOf(policy, host, name, shelves) })
      : null,
    marker: isUsable ? markerOf(degraded) : null,
  };
}

/** Everything that is wrong with a policy on one of its hosts. @internal */
export function faultsOfPolicy(policy: Policy, host: Host, spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const { refs, isList, where } = read(policy);
  const faults: ConfigurationFault[] = [];
  if (!isList) faults.push({ where, option: 'candidates', message: MESSAGES.notAList });
  if (policy.ladders.length > 1) faults.push({ where, message: MESSAGES.twoLadders });
  if (policy.degraded.length > 1) faults.push({ where, message: MESSAGES.twoDegraded });
  const kind = kindOf(policy, host, spec, layers);
  faults.push(...faultsOfKind(policy, host.prototype, kind));
  if (kind !== null) faults.push(...faultsOfStreamHedge(spec, layers));
  refs.forEach((ref, place) => {
    const message = faultOfCandidate(policy, host, ref);
    if (message !== undefined) faults.push({ where, option: `candidates[${place}]`, message });
  });
  const degraded = policy.degraded[0];
  if (degraded !== undefined) {
    faults.push(...faultsOfDegraded(degraded, where, MESSAGES, kind !== null));
    const why = whyKeyed(policy, host);
    if (why !== undefined && degraded.lastKnownGood !== undefined && degraded.lastKnownGood.key === undefined) {
      faults.push({ where, option: 'lastKnownGood.key', message: MESSAGES.keyNeeded(why) });
    }
    const message = faultOfStore(policy, host);
    if (message !== undefined) faults.push({ where, option: 'lastKnownGood.store', message });
  }
  const verb = verbOf(policy, host);
  if (verb !== undefined && spec.candidates.length > 1 && chainOptionsOf(spec, layers).idempotent === false) {
    faults.push({ where, option: 'idempotent', message: MESSAGES.repeatsWrite(verb) });
  }
  if ((spec.substitutes?.sources.length ?? 0) > 0 && isUnsent(policy, host)) {
    faults.push({ where, message: MESSAGES.unsentSubstitute });
  }
  return [...faults, ...faultsOfChain(spec, layers)];
}

/** Whether a policy's method is a route whose answers Nest does not send. @internal */
export function isUnsent(policy: Policy, { isController, prototype }: Host): boolean {
  return isController && isRoute(policy, prototype) && answersItself(prototype.constructor, policy.key);
}

/** The verb of a policy's route, if it is one that writes. @internal */
export function verbOf(policy: Policy, { isController, prototype }: Host): string | undefined {
  return isController ? writingVerb(policy, prototype) : undefined;
}

/** Why the arguments alone do not tell whose value it is. */
function whyKeyed(policy: Policy, { isController, isRequestScoped, prototype }: Host): string | undefined {
  if (isController) return 'a controller';
  if (isHandler(policy, prototype)) return 'a message handler';
  return isRequestScoped ? 'a request-scoped provider' : undefined;
}

function read(policy: Policy) {
  const { candidates: refs, options } = policy.ladders[0] ?? { candidates: [], options: {} };
  const isList = Array.isArray(refs);
  return {
    isList,
    // A copy has no holes.
    refs: isList ? [...(refs as CandidateRef[])] : [],
    options: options ?? {},
    where: nameOf(policy.target, policy.key),
  };
}

/** The kind of stream that the policy's method gives; null for promises. @internal */
export function kindOf(policy: Policy, { prototype }: Host, spec: ChainSpec, layers: Layers): StreamKind | null {
  return streamKindOf(policy, prototype, chainOptionsOf(spec, layers));
}

function faultOfCandidate(policy: Policy, host: Host, ref: CandidateRef): string | undefined {
  const made = candidateOf(policy, ref, 0);
  if (typeof made === 'string') return made;
  if (typeof ref === 'string' || typeof ref === 'symbol') return faultOfMethod(policy, host, ref);
  if (typeof ref === 'function') return undefined;
  if (isFrom(ref)) return faultOfProvider(host, ref);
  return 'method' in ref ? faultOfMethod(policy, host, ref.method) : undefined;
}

function faultOfProvider(host: Host, { provider: token, method }: From): string | undefined {
  const owner = providerName(token);
  const provider = host.providerOf(token);
  if (provider === undefined) return MESSAGES.noProvider(owner);
  if (provider === UNSEEN) return undefined;
  if (method === undefined) return hasMethod(provider, 'run') ? undefined : MESSAGES.noRun(owner);
  return hasMethod(provider, method) ? undefined : MESSAGES.noMethod(owner, String(method));
}

function faultOfMethod(policy: Policy, { prototype, instance }: Host, method: string | symbol): string | undefined {
  if (method === policy.key) return MESSAGES.selfCandidate;
  if (hasMethod(instance ?? prototype, method)) return undefined;
  return MESSAGES.noMethod(prototype.constructor.name, String(method));
}
