/** What must hold whatever the program and whatever the order of what happens at one instant. */
import { who } from './log.js';
import type { Entry, Invariant, Invoked, Played } from './log.js';
import { nameOf, thingOf } from './program.js';
import { STREAM_INVARIANTS, isFullStream } from './stream-invariants.js';
import type { Program, Rung } from './program.js';
import { judge } from './spec/verdicts.js';

export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'at most one probe at a time per candidate': ({ program, log }) => {
    const probes = new Map<number, { readonly call: number; readonly until: number }>();
    for (const entry of log) {
      if (entry.what === 'settled' && probes.get(entry.place)?.call === entry.call) probes.delete(entry.place);
      // Opened anew or put aside by hand: what comes is another period's probe.
      if (entry.what === 'changed') probes.delete(entry.place);
      if (entry.what !== 'invoked' || entry.state !== 'half-open' || !program.isWatched) continue;
      const { call, place, at } = entry;
      if (at < (probes.get(place)?.until ?? 0)) return `${who(entry)} at ${at}`;
      probes.set(place, { call, until: at + (program.rungs[place]!.timeout ?? LEASE) });
    }
    return undefined;
  },

  'no candidate invoked after a stop': ({ log }) => {
    const over = new Set<number>();
    for (const entry of log) {
      if (entry.what === 'ended' || entry.what === 'aborted') over.add(entry.call);
      if (entry.what === 'invoked' && over.has(entry.call)) return who(entry);
    }
    return undefined;
  },

  'no candidate invoked after its part of the deadline': ({ log }) => {
    const cuts = new Map<number, number>();
    for (const entry of log) {
      if (entry.what === 'began') cuts.set(entry.call, entry.cutAt);
      if (entry.what === 'invoked' && entry.at >= cuts.get(entry.call)!) return who(entry);
    }
    return undefined;
  },

  'no candidate twice in one call': ({ log }) => {
    const names = invocations(log).map(who);
    return names.find((name, place) => names.indexOf(name) !== place);
  },

  'no substitute unmarked': ({ program, seen }) => {
    const isVisible = program.substitutes !== undefined && program.substitutes.mark !== 'receipt';
    const bare = seen.calls.find((call) => {
      if (call === null || 'error' in call.ending) return false;
      const { value, source, degraded, shows } = call.ending;
      const isSubstitute = isStandIn(value) || (source ?? 'candidate') !== 'candidate';
      // A receipt cannot be hung on a primitive; it is where somebody collects it.
      const isUnreadable = degraded === undefined && value.includes('primitive');
      return isSubstitute && ((!degraded && !isUnreadable) || (isVisible && shows !== true));
    });
    if (bare != null) return JSON.stringify(bare.ending);
    const elements = seen.streams.flatMap((stream) => stream?.elements ?? []);
    return isVisible ? elements.find((one) => isStandIn(one) && !one.includes('(degraded)')) : undefined;
  },

  'no late effect': ({ log }) => {
    const effect = log.find((entry) => entry.what === 'late' && !entry.isInert);
    return effect && JSON.stringify(effect);
  },

  'one outcome per attempt and one end per call': ({ program, log, events }) => {
    if (!program.isWatched) return undefined;
    const outcomes = (name: string): number =>
      log.filter((entry) => entry.what === 'settled' && who(entry) === name).length;
    const isOver = (call: number): boolean => log.some((entry) => entry.what === 'ended' && entry.call === call);
    const odd = invocations(log).find(({ call, place }) => {
      const settled = outcomes(who({ call, place }));
      return isOver(call) ? settled !== 1 : settled > 1;
    });
    if (odd !== undefined) return who(odd);
    const told = events.filter(({ name }) => name.startsWith('call.')).length;
    const ended = log.filter(({ what }) => what === 'ended').length;
    return told === ended ? undefined : `${ended} calls ended, ${told} events say so`;
  },

  'permits return: when all has settled and cooled, every candidate can be called': ({ program, log, seen }) => {
    const last = program.steps.filter((step) => step.do === 'call').length - 1;
    const missing = program.rungs.findIndex((rung, place) => {
      const isIsolated = seen.looks.at(-1)!.health[place]!.state === 'isolated';
      const isInvoked = log.some((entry) => entry.what === 'invoked' && entry.call === last && entry.place === place);
      return rung.on === undefined && !isIsolated && !isInvoked;
    });
    return missing < 0 ? undefined : nameOf(missing);
  },

  'nothing stored but full answers of undegraded candidates': ({ program, log }) => {
    const full = fullAnswers(program);
    const isFull = (thing: string): boolean =>
      program.stream === undefined ? full.has(thing) : isFullStream(program, thing);
    const wrong = log.find((entry) => entry.what === 'stored' && !isFull(entry.thing));
    return wrong && JSON.stringify(wrong);
  },

  ...STREAM_INVARIANTS,

  'never paid twice: nobody is called after an empty answer that was paid for': ({ program, log }) => {
    const paid = log.flatMap((entry, order) => {
      const isPaidEmpty = entry.what === 'settled' && entry.kind === 'empty' && isFinal(program.rungs[entry.place]!);
      return isPaidEmpty ? [{ call: entry.call, order }] : [];
    });
    const second = log.find(
      (entry, order) => entry.what === 'invoked' && paid.some((one) => one.call === entry.call && one.order < order),
    );
    return second && JSON.stringify(second);
  },
};

const isStandIn = (name: string): boolean => /^copy of|^a computed/.test(name);

const LEASE = 30_000;

const invocations = (log: readonly Entry[]): Invoked[] => log.filter((entry) => entry.what === 'invoked');

/** An empty answer of it ends the call: it was paid for. */
const isFinal = ({ cost = 0, onEmpty }: Rung): boolean => cost > 0 && onEmpty === undefined;

/** What may be stored, by name. */
function fullAnswers({ rungs, steps }: Program): Set<string> {
  const calls = steps.filter((step) => step.do === 'call');
  const names = calls.flatMap(({ plays }, call) =>
    rungs.flatMap((rung, place) => {
      const play = plays[place]!;
      const isAnswer = play.does === 'ok' || play.does === 'empty';
      const isFull = isAnswer && judge(play, rung, 'transient').kind === 'ok' && rung.degraded !== true;
      return isFull ? [thingOf(place, play.does, call)] : [];
    }),
  );
  return new Set(names);
}

/** The first that does not hold. */
export function broken(played: Played, invariants = INVARIANTS): string | undefined {
  for (const [name, invariant] of Object.entries(invariants)) {
    const how = invariant(played);
    if (how !== undefined) return `Broken: ${name}\n  ${how}`;
  }
  return undefined;
}
