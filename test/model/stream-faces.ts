/** The two faces of a stream of the engine's: an async generator, and an Observable. */
import type { CallInputs } from '../../lib/core/call.js';
import type { ChainPlan } from '../../lib/core/plan.js';
import { readGenerator, readObservable } from './stream-readers.js';
import type { Reader, Told } from './stream-readers.js';

export type Face = 'generator' | 'observable';

type Open = (
  plan: ChainPlan,
  host: unknown,
  args: readonly unknown[],
  inputs: CallInputs,
  takes: number | undefined,
  told: Told,
) => Reader;

export const FACES: Readonly<Record<Face, Open>> = {
  generator: (plan, host, args, inputs, takes, told) =>
    readGenerator(openGenerator(plan, host, args, inputs), takes, told),
  observable: (plan, host, args, inputs, takes, told) =>
    readObservable(openObservable(plan, host, args, inputs), takes, told),
};
