/** A chain of plain functions as other chains and applications see it. */
import type { CallInputs } from './call.js';
import type { ChainSpec, Layers } from './chain-spec.js';
import type { Engine } from './engine.js';
import type { ChainPlan } from './plan.js';
import { brand } from './shared.js';

/** The property by which every copy of the package recognises a chain. @internal */
export const CHAIN = brand('chain');

/** @internal */
export interface NestedChain {
  readonly name: string;
  /** as it was declared: an application that registers the chain compiles it for itself */
  readonly spec: ChainSpec;
  /** with the chain's own clock, circuits and counts */
  readonly plan: ChainPlan;
  /** From now on the chain runs by this plan inside the application that has its engine. */
  register(plan: ChainPlan, layers: Layers): void;
  /** Runs as a part of what has this engine. */
  nested(args: readonly unknown[], inputs: CallInputs, engine: Engine): Promise<unknown>;
  /** A plan of the chain as that of its streams. */
  asStream(plan: ChainPlan): ChainPlan;
  /** The same as a stream, begun when it is first read. */
  nestedStream(args: readonly unknown[], inputs: CallInputs, engine: Engine): AsyncGenerator<unknown, void, undefined>;
  /** Streams by a plan; without arguments by the chain's own. */
  streamBy(
    plan: ChainPlan,
    args: readonly unknown[] | undefined,
    inputs: CallInputs,
  ): AsyncGenerator<unknown, void, undefined>;
  /** Runs by a plan; without arguments by the chain's own. */
  runBy(plan: ChainPlan, args: readonly unknown[] | undefined, inputs: CallInputs): Promise<unknown>;
}

/** A chain made by `createFallbackChain`, by whichever copy of the package. @internal */
export function isChain(value: unknown): value is NestedChain {
  return typeof value === 'object' && value !== null && CHAIN in value;
}
