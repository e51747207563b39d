/** What must hold of streams in whatever order things happen. */
import { who } from './log.js';
import type { Invariant, Of } from './log.js';
import { AND, nameOf, scriptOf } from './program.js';
import type { Program, Step } from './program.js';

export const STREAM_INVARIANTS: Readonly<Record<string, Invariant>> = {
  'a stream that has not ended is closed once, before the next candidate and by the end of its call': ({
    program,
    log,
  }) => {
    const open = new Map<string, Of>();
    const closed = new Set<string>();
    const ended = new Set<number>();
    const calls = program.steps.filter((step) => step.do === 'call');
    for (const entry of log) {
      if (entry.what === 'opened') open.set(who(entry), entry);
      if (entry.what === 'over' || entry.what === 'closed') open.delete(who(entry));
      if (entry.what === 'closed') {
        if (closed.has(who(entry))) return `${who(entry)} is closed twice`;
        closed.add(who(entry));
      }
      if (entry.what === 'ended') ended.add(entry.call);
      if (entry.what !== 'invoked' && entry.what !== 'ended') continue;
      const left = [...open.values()].find(({ call, place }) => call === entry.call && !mayBeHeld(calls[call]!, place));
      if (left !== undefined)
        return `${who(left)} is open when ${entry.what === 'ended' ? 'its call ends' : 'the next begins'}`;
    }
    // Who was held is closed as soon as somebody else has been served.
    const left = [...open.values()].find(({ call }) => ended.has(call));
    if (left !== undefined) return `${who(left)} is never closed`;
    return undefined;
  },

  'the signal of a stream that was closed is aborted': ({ log }) => {
    const closed = log.find((entry) => entry.what === 'closed' && entry.signal?.aborted === false);
    return closed && JSON.stringify(closed);
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

  'nobody is asked ahead of who reads': ({ log }) => {
    const asks = new Map<number, number>();
    const pulls = new Map<string, number>();
    /** by call: what its candidate had been asked for when the first element came */
    const before = new Map<number, number>();
    for (const entry of log) {
      if (entry.what === 'asked') asks.set(entry.call, (asks.get(entry.call) ?? 0) + 1);
      if (entry.what === 'element' && !before.has(entry.call)) {
        before.set(entry.call, pulls.get(`${giverOf(entry.thing)} of call ${entry.call}`) ?? 0);
      }
      if (entry.what !== 'pulled') continue;
      const giver = who(entry);
      const count = (pulls.get(giver) ?? 0) + 1;
      pulls.set(giver, count);
      const isAhead = count > Math.max(before.get(entry.call) ?? Infinity, asks.get(entry.call) ?? Infinity);
      if (isAhead) return `${giver} is asked ${count} times, its reader has asked ${asks.get(entry.call)} times`;
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

/** Its answer may be kept while others are tried. */
const mayBeHeld = (step: Step & { do: 'call' }, place: number): boolean =>
  scriptOf(step, place).emits.some(({ does }) => does === 'thin' || does === 'empty');

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
