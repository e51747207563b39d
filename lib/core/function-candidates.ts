/** From the forms in which a chain of plain functions names its candidates to the one that the engine calls. */
import { isAsyncIterable } from './async-iterable.js';
import type { CandidateSpec } from './chain-spec.js';
import { FallbackConfigurationError } from './errors.js';
import { isChain } from './nested-chain.js';
import type { NestedChain } from './nested-chain.js';
import { CANDIDATE_RULES } from './option-rules.js';
import type { AnyCandidate, CandidateOptions, Chain } from './option-types.js';
import type { CallView, Invoke } from './plan.js';

const NO_OPTIONS: CandidateOptions = {};
/** What an object may inherit from its class. Options are its own: any class may have a method called `on`. */
const HOOKS = ['supports', 'accept', 'assess', 'isEmpty', 'classify'] as const;

/** @param primary what the first is called, unless it says so itself @internal */
export function specOf<T>(candidate: AnyCandidate<T>, index: number, primary: string | undefined): CandidateSpec {
  const unnamed = (index === 0 ? primary : undefined) ?? `candidate${index}`;
  if (isChain(candidate)) return { name: candidate.name, options: NO_OPTIONS, invoke: invokeNested(candidate) };
  const plain = candidate as Exclude<typeof candidate, Chain<T>>;
  if (typeof plain === 'function') {
    return {
      name: unnamed,
      options: NO_OPTIONS,
      invoke: ({ context, call }) => awaitable(plain(context, ...(call.args as unknown[])), index, call),
    };
  }
  return {
    name: plain.name ?? unnamed,
    options: optionsOf(plain),
    invoke: ({ context, call }) => awaitable(plain.run(context, ...(call.args as unknown[])), index, call),
  };
}

/** Hooks have the same `this` as `run`. Of an instance of a class, fields that are no options are its own business. */
function optionsOf(candidate: object): CandidateOptions {
  const { name: _name, run: _run, ...own } = candidate as Record<string, unknown>;
  const isInstance = Object.getPrototypeOf(Object.getPrototypeOf(candidate) ?? Object.prototype) !== null;
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(own)) {
    if (!isInstance || Object.hasOwn(CANDIDATE_RULES, name)) options[name] = bound(value, candidate);
  }
  for (const hook of HOOKS) {
    if (!Object.hasOwn(options, hook) && hook in candidate)
      options[hook] = bound(Reflect.get(candidate, hook), candidate);
  }
  return options;
}

function bound(value: unknown, candidate: object): unknown {
  return typeof value === 'function' ? (value.bind(candidate) as unknown) : value;
}

/** Candidate 0 says what a chain is for: one that gives an async iterable at once has been called in the wrong way. */
function awaitable(given: unknown, index: number, { plan }: CallView): unknown {
  if (index > 0 || plan.stream !== null || given instanceof Promise || !isAsyncIterable(given)) return given;
  const message = 'candidate 0 gives a stream; read the chain with stream(), or set stream: on a decorated method';
  throw new FallbackConfigurationError([{ where: plan.name, option: 'stream', message }]);
}

function invokeNested(chain: NestedChain): Invoke {
  return ({ call, signal }) => {
    const { stream, engine } = call.plan;
    const inputs = { signal, deadline: call.deadline.remaining() };
    return stream === null ? chain.nested(call.args, inputs, engine) : chain.nestedStream(call.args, inputs, engine);
  };
}
