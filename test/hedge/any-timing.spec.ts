/** Hedged calls with any timing, against a few lines of model: who starts when, who is what, and when the call ends. */
import { describe, expect, it } from '@jest/globals';
import { Bench } from '../support/core-call.js';

interface Play {
  readonly does: 'ok' | 'thin' | 'fails' | 'hangs';
  readonly takes: number;
  readonly timeout: number;
}

interface Program {
  readonly plays: readonly Play[];
  readonly after: number;
  /** when the caller goes away */
  readonly abortAt: number;
}

interface Told {
  /** `a:ok from 0 to 12.5`, in the order of ends */
  attempts: string[];
  ends: string;
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** xorshift: the same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function draw(next: () => number): Program {
  const does = ['ok', 'thin', 'fails', 'hangs'] as const;
  // In parts of 2^-10 ms, which wall-clock times can hold; ties are as good as impossible.
  const time = (upTo: number): number => Math.floor(next() * upTo * 1_024) / 1_024;
  const plays = Array.from({ length: 2 + Math.floor(next() * 4) }, () => ({
    does: does[Math.floor(next() * 4)]!,
    takes: 1 + time(100),
    timeout: 30 + time(100),
  }));
  const after = next() < 0.2 ? 0 : 1 + time(60);
  return { plays, after, abortAt: next() < 0.2 ? time(150) : Infinity };
}

interface Running {
  readonly place: number;
  readonly from: number;
  readonly end: number;
  readonly kind: string;
}

const line = ({ place, from }: Running, kind: string, to: number): string =>
  `${NAMES[place]!}:${kind} from ${from} to ${to}`;

/** What is promised. No two things happen at one instant, but for starts. */
function model({ plays, after, abortAt }: Program): Told {
  const attempts: string[] = [];
  let running: Running[] = [];
  let held: number | undefined;
  let due = 0;
  let next = 0;
  const start = (now: number): void => {
    const { does, takes, timeout } = plays[next]!;
    const isCut = does === 'hangs' || timeout < takes;
    const kind = isCut ? 'timeout' : does === 'fails' ? 'transient' : does;
    running.push({ place: next++, from: now, end: now + (isCut ? timeout : takes), kind });
    due = now + after;
  };
  for (let now = 0; ;) {
    if (next < plays.length && (running.length === 0 || due <= now)) {
      start(now);
      continue;
    }
    if (running.length === 0) return { attempts, ends: `${held === undefined ? 'nobody' : NAMES[held]!} at ${now}` };
    const first = running.reduce((one, other) => (other.end < one.end ? other : one));
    now = Math.min(first.end, abortAt, next < plays.length ? due : Infinity);
    if (now === abortAt) {
      return {
        attempts: [...attempts, ...running.map((each) => line(each, 'cancelled', now))],
        ends: `left at ${now}`,
      };
    }
    if (now !== first.end) continue;
    running = running.filter((each) => each !== first);
    if (first.kind === 'ok') {
      const lost = running.map((each) => line(each, 'cancelled', now));
      return { attempts: [...attempts, ...lost, line(first, 'ok', now)], ends: `${NAMES[first.place]!} at ${now}` };
    }
    if (first.kind === 'thin') held ??= first.place;
    attempts.push(line(first, first.kind, now));
    due = now;
  }
}

async function engine({ plays, after, abortAt }: Program): Promise<Told> {
  const signals: AbortSignal[] = [];
  const bench = new Bench(
    plays.map(({ does, takes, timeout }, place) => ({
      name: NAMES[place]!,
      timeout,
      run: async ({ signal }) => {
        signals.push(signal);
        if (does === 'hangs') await new Promise(() => {});
        await bench.clock.sleep(takes);
        if (does === 'fails') throw new Error('down');
        return { from: NAMES[place], does };
      },
    })),
    { cost: 0, hedge: { after }, assess: ({ does }: { does: string }) => (does === 'thin' ? 'thin' : undefined) },
  );
  const { clock } = bench;
  const wallAt = clock.wall();
  const caller = new AbortController();
  if (abortAt !== Infinity) clock.setTimer(() => caller.abort('left'), abortAt);
  const call = bench.begin(abortAt === Infinity ? {} : { signal: caller.signal });
  await clock.advance(2_000);
  const { outcome } = call;
  const who =
    'value' in outcome! ? (outcome.value as { from: string }).from : outcome!.error === 'left' ? 'left' : 'nobody';
  const isEndOf = ({ name }: { name: string }): boolean => name.startsWith('call.');
  // A good answer after its timeout may still be counted as late.
  const told = bench.events.filter(({ name }) => name !== 'attempt.late');
  expect(told.filter(isEndOf)).toHaveLength(1);
  expect(isEndOf(told.at(-1)!)).toBe(true);
  // Whoever lost or was cut has been told.
  for (const { attempt, kind } of bench.settled) {
    expect(signals[attempt as number]!.aborted).toBe(kind === 'cancelled' || kind === 'timeout');
  }
  return {
    attempts: bench.settled.map(({ candidate, kind, startedAt, duration }) => {
      const from = (startedAt as number) - wallAt;
      return `${candidate!}:${kind!} from ${from} to ${from + (duration as number)}`;
    }),
    ends: `${who} at ${call.took!}`,
  };
}

describe('hedged calls with any timing', () => {
  it('300 programs do what a few lines say', async () => {
    const next = random(20270305);
    const seen = new Set<string>();
    for (let n = 0; n < 300; n++) {
      const program = draw(next);
      const told = await engine(program);
      expect({ program, ...told }).toEqual({ program, ...model(program) });
      for (const attempt of told.attempts) seen.add(attempt.split(' ')[0]!.slice(2));
      seen.add(told.ends.split(' ')[0]!);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['cancelled', 'timeout', 'thin', 'transient', 'nobody', 'left', 'e']),
    );
  });
});
