/** Whether a run ends when nobody waits for it any more: by its caller's signal, and by the deadline of the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import { finding, supportsRefuses } from './findings.js';
import type { Finding } from './findings.js';
import { begin, within } from './probe.js';
import type { Checked } from './probe.js';
import type { Situation } from './situations.js';

interface Asked extends Situation {
  args: unknown[];
  patience: number;
}

/** ms until a run is cut, where nothing else says that the provider holds the request. */
const MOMENT = 100;

/** @internal */
export async function checkHanging(candidate: Checked, asked: Asked): Promise<Finding[]> {
  const bySignal = await cutBySignal(candidate, asked);
  if (bySignal !== undefined && bySignal.code !== 'signal-ignored') return [bySignal];
  return [bySignal, await cutByDeadline(candidate, asked)].filter(isFinding);
}

async function cutBySignal(candidate: Checked, { args, patience, reached }: Asked): Promise<Finding | undefined> {
  const caller = new AbortController();
  // Asked for before the run begins, so that it cannot miss the moment.
  const isReached = reached?.() ?? sleep(MOMENT);
  const running = begin(candidate, patience, { args, signal: caller.signal });
  await within(patience, Promise.race([isReached, running.observed]));
  if (running.isOver()) return didNotHang();
  caller.abort(new Error('The caller has gone away'));
  if ((await running.observed).kind === undefined) return supportsRefuses('hanging');
  if ((await within(patience, running.over)) !== undefined) return undefined;
  const message = `run goes on after its signal: hand ctx.signal to the client, so that nobody works or pays for nothing`;
  return finding('signal-ignored', message, 'hanging');
}

async function cutByDeadline(candidate: Checked, { args, patience }: Asked): Promise<Finding | undefined> {
  const running = begin(candidate, patience, { args, deadline: MOMENT });
  await running.observed;
  if ((await within(patience, running.over)) !== undefined) return undefined;
  const message =
    'run goes on after the deadline of its call: hand ctx.signal to the client, or bound it by ctx.deadline.remaining()';
  return finding('deadline-ignored', message, 'hanging');
}

function didNotHang(): Finding {
  const message = 'the run was over before anybody ended it: let `arrange` make the provider hold the request';
  return finding('did-not-hang', message, 'hanging');
}

function isFinding(value: Finding | undefined): value is Finding {
  return value !== undefined;
}
