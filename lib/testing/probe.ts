/** One run of a candidate. The engine walks it, as it would in an application, and we have an ear at its methods. */
import { fallback, terminal, transient } from '../core/index.js';
import type { AttemptContext, CoreCandidate, CoreOptions, OutcomeKind } from '../core/index.js';
import { isObservable } from '../core/observable.js';
import { isThenable } from '../core/thenable.js';
import type { FallbackCandidate } from '../index.js';
import type { Hook, HookFault } from './findings.js';

/** A candidate whose arguments and answers nobody looks at. @internal */
export type Checked = FallbackCandidate<unknown[], unknown>;

/** What came of a run. @internal */
export interface Observed {
  /** absent if the candidate was passed over */
  readonly kind: OutcomeKind | undefined;
  readonly retryAfter: number | undefined;
  readonly error: unknown;
  /** the next candidate was not asked */
  readonly isStopped: boolean;
  readonly faults: readonly { readonly hook: Hook; readonly fault: HookFault }[];
}

/** A run that is under way. @internal */
export interface Running {
  readonly observed: Promise<Observed>;
  /** what run gave has settled, whether anybody still waits for it or not */
  readonly isOver: () => boolean;
  readonly over: Promise<unknown>;
}

const NOT_YET = Symbol('not yet');

/** What a promise gives within `ms`, else what it is: not yet settled. @internal */
export async function within<T>(ms: number, work: PromiseLike<T> | T): Promise<{ value: T } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof NOT_YET>((resolve) => {
    timer = setTimeout(resolve, ms, NOT_YET);
  });
  try {
    const value = await Promise.race([work, late]);
    return value === NOT_YET ? undefined : { value: value as T };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Begins a run.
 * @param patience ms that each hook may take
 * @internal
 */
export function begin(candidate: Checked, patience: number, options: CoreOptions<unknown>): Running {
  const faults: { hook: Hook; fault: HookFault }[] = [];
  let isOver = false;
  // An Observable is the engine's to end.
  let isEngines = false;
  let end: () => void;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const finish = (): void => {
    isOver = true;
    end();
  };

  async function hear(hook: Hook, ask: () => unknown): Promise<unknown> {
    try {
      const said = await within(patience, ask());
      if (said === undefined) faults.push({ hook, fault: 'silent' });
      else if (!(await makesSense(hook, said.value))) faults.push({ hook, fault: 'nonsense' });
      return said?.value;
    } catch (error) {
      faults.push({ hook, fault: 'throws' });
      throw error;
    }
  }

  const watched: CoreCandidate<unknown, unknown[]> = {
    run(ctx: AttemptContext, ...args: unknown[]) {
      let given: unknown;
      try {
        given = candidate.run(ctx, ...args);
      } catch (error) {
        finish();
        throw error;
      }
      if (!isThenable(given)) {
        if (isObservable(given)) isEngines = true;
        else finish();
        return given;
      }
      const promise = Promise.resolve(given);
      promise.then(finish, finish);
      return promise;
    },
    ...(candidate.supports && {
      supports: async (...args) => (await hear('supports', () => candidate.supports!(...args))) === true,
    }),
    ...(candidate.classify && {
      classify: async (error, ctx) => hear('classify', () => candidate.classify!(error, ctx)) as never,
    }),
    ...(candidate.assess && {
      assess: async (value, ctx) => hear('assess', () => candidate.assess!(value, ctx)) as never,
    }),
  };
  return {
    observed: outcomeOf(watched, options).then((outcome) => {
      if (isEngines) finish();
      return { ...outcome, faults };
    }),
    isOver: () => isOver,
    over,
  };
}

/** What the engine makes of a candidate, with another behind it that always answers. */
async function outcomeOf(
  candidate: CoreCandidate<unknown, unknown[]>,
  options: CoreOptions<unknown> = {},
): Promise<Omit<Observed, 'faults'>> {
  const outcome: { -readonly [K in keyof Observed]?: Observed[K] } = {};
  let isStopped = true;
  const next = (): void => {
    isStopped = false;
  };
  const onAttempt: CoreOptions<unknown>['onAttempt'] = ({ index, kind, retryAfter }, { error }) => {
    if (index === 0) Object.assign(outcome, { kind, retryAfter, error });
  };
  await fallback<unknown>([candidate, next], { ...options, onAttempt }).catch(() => {});
  return { kind: outcome.kind, retryAfter: outcome.retryAfter, error: outcome.error, isStopped };
}

/** Whether the engine can use what a hook said. It goes by its defaults where it cannot, so that is what shows. */
async function makesSense(hook: Hook, said: unknown): Promise<boolean> {
  if (hook === 'supports') return typeof said === 'boolean';
  if (said === undefined) return true;
  if (hook === 'classify') {
    const kinds = [terminal(), transient()].map(async (thrown) => {
      const failing = { run: () => Promise.reject(thrown), classify: () => said as never };
      return (await outcomeOf(failing)).kind;
    });
    const [first, second] = await Promise.all(kinds);
    return first === second;
  }
  const { kind, error } = await outcomeOf({ run: () => null, assess: () => said as never });
  return kind !== 'rejected' || (error as Error).cause === undefined;
}
