/** Stream cases as data, and one way to play and check them on every face. */
import { expect } from '@jest/globals';
import type { Receipt } from '../../lib/index.js';
import type { End, Reader } from './stream-consumers.js';
import { FACES, openStreams } from './stream-faces.js';
import type { Face, Streams, StreamSetup } from './stream-faces.js';
import type { Form } from './stream-sources.js';

export interface StreamCase extends StreamSetup {
  /** the number of the case, then what it is about */
  readonly title: string;
  /** default: all, or those of decorated methods where there are substitutes */
  readonly faces?: readonly Face[];
  /** default: something deaf that is pulled, and something that is pushed */
  readonly forms?: readonly Form[];
  /** the reader leaves after so many elements */
  readonly take?: number;
  /** the reader leaves at this time */
  readonly leaveAt?: number;
  /** the caller aborts with REASON at this time; before the first pull if negative */
  readonly abortAt?: number;
  /** virtual ms from the first pull to the end; default 0 */
  readonly takes?: number;
  readonly elements: readonly unknown[];
  /** the very error, or a matcher for it, where it is no word */
  readonly end?: Exclude<End, object> | { readonly error: unknown };
  /** opened and closed sources, in order */
  readonly log: readonly string[];
  /** `a:transient`, `b:skipped(cooling)` */
  readonly attempts: readonly string[];
  /** `closed 1`; default `closed 0` for each */
  readonly circuits?: Readonly<Record<string, string>>;
  /** who committed; null if nobody did. Default: the last attempt's candidate if there are elements */
  readonly committed?: string | null;
  readonly receipt?: Partial<Receipt>;
  /** hooks that were reported as faulty; default none */
  readonly faultyHooks?: readonly string[];
}

export const REASON = { why: 'the caller has no time' };

/** Every way to play a case: `[title, case, face, form]`. */
export function variants(cases: readonly StreamCase[]): (readonly [string, StreamCase, Face, Form])[] {
  return cases.flatMap((each) =>
    facesOf(each).flatMap((face) =>
      (each.forms ?? (['iterable', 'observable'] as const)).map(
        (form) => [`${each.title} (${face}, ${form})`, each, face, form] as const,
      ),
    ),
  );
}

export async function playStream(each: StreamCase, face: Face, form: Form): Promise<void> {
  const streams = await openStreams(face, { ...each, form });
  const reader = await read(streams, each);
  check(streams, reader, each);
  // What is closed stays closed: a deaf source is still about to emit, and must not be heard.
  await streams.clock.advance(1_000);
  if (each.end !== 'open') check(streams, reader, each);
}

async function read(streams: Streams, { take, takes = 0, leaveAt, abortAt }: StreamCase): Promise<Reader> {
  const caller = new AbortController();
  if (abortAt !== undefined && abortAt < 0) caller.abort(REASON);
  const reader = streams.begin({ take, signal: abortAt === undefined ? undefined : caller.signal });
  const cutAt = Math.max(leaveAt ?? abortAt ?? 0, 0);
  await streams.clock.advance(cutAt);
  if (leaveAt !== undefined) reader.leave();
  if (abortAt !== undefined && abortAt >= 0) caller.abort(REASON);
  await streams.clock.advance(takes - cutAt);
  return reader;
}

function check(streams: Streams, reader: Reader, each: StreamCase): void {
  const { end = 'complete', takes = 0, circuits, attempts } = each;
  const isPlain = streams.events.length === 0 && !('started' in streams);
  const names = each.candidates.map(({ name }) => name);
  expect({ elements: reader.elements, log: streams.stage.log }).toEqual({ elements: each.elements, log: each.log });
  checkEnd(reader.end, end);
  if (end !== 'open') expect(reader.took).toBe(takes);
  expect(streams.attempts).toEqual(isPlain ? attempts.filter((attempt) => !attempt.includes('skipped')) : attempts);
  expect(streams.circuits).toEqual({ ...Object.fromEntries(names.map((name) => [name, 'closed 0'])), ...circuits });
  if (isPlain) return;
  checkEvents(streams, each, end);
  if (each.receipt !== undefined) expect(reader.receipt).toMatchObject(each.receipt);
}

function checkEnd(seen: End, wanted: NonNullable<StreamCase['end']>): void {
  if (typeof wanted === 'string') return expect(seen).toEqual(wanted);
  expect(seen).toHaveProperty('error');
  const { error } = seen as { error: unknown };
  // A matcher has its own idea of equality; an error must be the very one.
  if (isMatcher(wanted.error)) expect(error).toEqual(wanted.error);
  else expect(error).toBe(wanted.error);
}

function isMatcher(value: unknown): boolean {
  return typeof (value as { asymmetricMatch?: unknown } | null)?.asymmetricMatch === 'function';
}

/** One outcome per attempt, one commit, one end per call. */
function checkEvents(streams: Streams, each: StreamCase, end: NonNullable<StreamCase['end']>): void {
  const heard = (name: string) => streams.events.filter((event) => event.name === name);
  const committed = heard('stream.committed').map(({ candidate }) => candidate);
  const last = each.attempts.at(-1)?.split(':')[0];
  const wanted = each.committed === undefined ? (each.elements.length > 0 ? last : null) : each.committed;
  expect(committed).toEqual(wanted === null || wanted === undefined ? [] : [wanted]);
  const ends = ['call.served', 'call.exhausted', 'call.stopped'].flatMap(heard);
  if (each.attempts.length > 0) expect(ends).toHaveLength(end === 'open' ? 0 : 1);
  expect(heard('hook.failed').map(({ hook }) => hook)).toEqual(each.faultyHooks ?? []);
}

function facesOf({ faces, degraded }: StreamCase): readonly Face[] {
  return faces ?? (degraded === undefined ? FACES : FACES.filter((face) => face !== 'plain functions'));
}
