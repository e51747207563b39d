/**
 * What people write by hand, as fast as it can be written without giving up a guarantee.
 *
 * No two subjects of one process use the same timeout: Node keeps a list per duration, and makes and drops it with its
 * only timer, so a timer of one subject that stays would pay for the other's list.
 */
import { QUERY } from './subjects.mjs';

const HAND_TIMEOUT = 1_001;

export const bare = (candidate) => async () => await candidate(QUERY);

/** Nothing but the order of the candidates: no time limit, no memory. */
export const ladder = (candidates) => async () => {
  let failure;
  for (const candidate of candidates) {
    try {
      return await candidate(QUERY);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};

/** Written by every call, so that no compiler can leave the clock read out. */
export let lastCall = 0;
/** The same of two candidates, with the one clock read that health needs. */
export const clockedLadder = (first, second) => async () => {
  lastCall = performance.now();
  try {
    return await first(QUERY);
  } catch {
    return await second(QUERY);
  }
};

class Slot {
  failures = 0;
  openUntil = 0;

  constructor(candidate) {
    this.candidate = candidate;
  }
}

const noteFailure = (slot, { threshold, cooldown }) => {
  if (++slot.failures >= threshold) slot.openUntil = performance.now() + cooldown;
};
const noteSuccess = (slot) => {
  slot.failures = 0;
  slot.openUntil = 0;
};
const isOpen = ({ openUntil }) => openUntil !== 0 && openUntil > performance.now();
const lateError = () => new Error('timed out');
const BREAKER = { threshold: 3, cooldown: 5_000 };

/** A time limit for each attempt, failures counted, and a cooldown. No signal is made, since nobody reads it. */
export const hand = (candidates, { timeout = HAND_TIMEOUT, breaker = BREAKER } = {}) => {
  const slots = candidates.map((candidate) => new Slot(candidate));
  return async () => {
    let failure;
    for (const slot of slots) {
      if (isOpen(slot)) continue;
      let timer;
      try {
        const late = new Promise((_, reject) => {
          timer = setTimeout(() => reject(lateError()), timeout);
        });
        const value = await Promise.race([slot.candidate(QUERY), late]);
        noteSuccess(slot);
        return value;
      } catch (error) {
        failure = error;
        noteFailure(slot, breaker);
      } finally {
        clearTimeout(timer);
      }
    }
    throw failure;
  };
};

/** The same with a signal for each attempt, which follows the caller's if there is one. */
export const handWithSignal = (candidates, { timeout = HAND_TIMEOUT, caller } = {}) => {
  const slots = candidates.map((candidate) => new Slot(candidate));
  return async () => {
    let failure;
    for (const slot of slots) {
      if (isOpen(slot)) continue;
      const controller = new AbortController();
      let timer;
      let onAbort;
      try {
        const late = new Promise((_, reject) => {
          const give = (reason) => {
            controller.abort(reason);
            reject(reason);
          };
          timer = setTimeout(() => give(lateError()), timeout);
          onAbort = () => give(caller.reason);
          caller?.addEventListener('abort', onAbort, { once: true });
        });
        const value = await Promise.race([slot.candidate(controller, QUERY), late]);
        noteSuccess(slot);
        return value;
      } catch (error) {
        if (caller?.aborted) throw error;
        failure = error;
        noteFailure(slot, BREAKER);
      } finally {
        clearTimeout(timer);
        caller?.removeEventListener('abort', onAbort);
      }
    }
    throw failure;
  };
};

/** The same with an accept hook, one listener that hears of attempts and answers, and the last known good by a key. */
export const handInFull = (candidates, { accept, listener, keyOf, refreshAfter, maxAge, timeout = HAND_TIMEOUT }) => {
  const slots = candidates.map((candidate) => new Slot(candidate));
  const values = new Map();
  const tell = (event) => {
    try {
      listener(event);
    } catch {
      // a listener changes nothing
    }
  };
  const remember = (value) => {
    const key = keyOf(QUERY);
    const known = values.get(key);
    const now = Date.now();
    if (known !== undefined && now - known.at < refreshAfter) return;
    values.set(key, { value: structuredClone(value), at: now });
  };
  const settle = (candidate, index, kind, started) => {
    const duration = performance.now() - started;
    tell({ name: 'attempt.settled', chain: 'hand', candidate, index, kind, duration, at: Date.now() });
  };
  return async () => {
    let failure;
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index];
      if (isOpen(slot)) continue;
      const started = performance.now();
      let timer;
      try {
        const late = new Promise((_, reject) => {
          timer = setTimeout(() => reject(lateError()), timeout);
        });
        const value = await Promise.race([slot.candidate(QUERY), late]);
        if (!accept(value)) throw new Error('not accepted');
        noteSuccess(slot);
        remember(value);
        settle(slot.candidate.name, index, 'ok', started);
        tell({ name: 'call.served', chain: 'hand', servedBy: slot.candidate.name, degraded: false, at: Date.now() });
        return value;
      } catch (error) {
        failure = error;
        noteFailure(slot, BREAKER);
        settle(slot.candidate.name, index, 'failed', started);
      } finally {
        clearTimeout(timer);
      }
    }
    const known = values.get(keyOf(QUERY));
    if (known !== undefined && Date.now() - known.at <= maxAge) return structuredClone(known.value);
    throw failure;
  };
};
