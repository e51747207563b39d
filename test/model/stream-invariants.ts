/** What must hold of streams in whatever order things happen. */
import { who } from './log.js';
import type { Invariant } from './log.js';
import { AND, nameOf } from './program.js';
import type { Program } from './program.js';

export const STREAM_INVARIANTS: Readonly<Record<string, Invariant>> = {
  'a stream that has not ended is closed once, before the next candidate and by the end of its call': ({ log }) => {
    const open = new Map<number, string>();
    const closed = new Set<string>();
    for (const entry of log) {
      const isCandidates = 'call' in entry && 'place' in entry;
      if (isCandidates && entry.what === 'opened') open.set(entry.call, who(entry));
      if (isCandidates && entry.what === 'over') open.delete(entry.call);
      if (isCandidates && entry.what === 'closed') {
        if (closed.has(who(entry))) return `${who(entry)} is closed twice`;
        closed.add(who(entry));
        open.delete(entry.call);
      }
      if (entry.what === 'invoked' && open.has(entry.call))
        return `${who(entry)} begins before the one before is closed`;
      if (entry.what === 'ended' && open.has(entry.call))
        return `${open.get(entry.call)} is open when its call has ended`;
    }
    return undefined;
  },

  'nothing is spliced: all elements of a call are of one candidate, and no other begins after the first': ({ log }) => {
    const givers = new Map<number, string>();
    for (const entry of log) {
      if (entry.what === 'element') {
        const giver = giverOf(entry.thing);
        if (givers.has(entry.call) && givers.get(entry.call) !== giver) return `call ${entry.call}: ${entry.thing}`;
        givers.set(entry.call, giver);
      }
      if (entry.what === 'invoked' && givers.has(entry.call)) return `${who(entry)} begins after the first element`;
    }
    return undefined;
  },

  'nothing is given after the end': ({ log }) => {
    const over = new Set<number>();
    for (const entry of log) {
      if (entry.what === 'ended') over.add(entry.call);
      if (entry.what === 'element' && over.has(entry.call)) return `call ${entry.call}: ${entry.thing}`;
    }
    return undefined;
  },
};

const giverOf = (thing: string): string => /^.(?='s element)/.exec(thing)?.[0] ?? 'a substitute';

/** What is stored is of one candidate that is not degraded, whole and in order. */
export function isFullStream({ rungs }: Program, stored: string): boolean {
  if (stored === '') return true;
  const names = stored.split(AND);
  return rungs.some((rung, place) => {
    const call = / of call (\d+)$/.exec(names[0]!)?.[1];
    const isWhole = names.every((name, index) => name === `${nameOf(place)}'s element ${index} of call ${call}`);
    return isWhole && rung.degraded !== true;
  });
}
