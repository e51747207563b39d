/** What a run must have been like, and how it was. */
import type { LoadSeen, Seen } from './orders.js';

/** A call may be so much later than its deadline, beside what the event loop was late, ms. */
const LATENESS = 50;
/** Live bytes may grow by so much: code that is compiled on the way, and what is kept of events. */
const GROWTH = 5e6;
/** Of the calls that were due: a busy machine makes fewer. */
const LEAST_CALLS = 0.3;
const SOURCES = ['primary', 'backup', 'last-known-good', 'static', 'alone', 'exhausted'];

/** One process at the end. */
export interface Member {
  readonly name: string;
  readonly load: LoadSeen;
  readonly seen: Seen;
  /** of live bytes, since the first third of the run */
  readonly growth: number;
  readonly ending: { readonly code: unknown; readonly stderr: string };
}

export interface Run {
  readonly members: readonly Member[];
  /** calls that were due in each process */
  readonly due: number;
  /** requests during an outage of so many ms with Redis well, once all knew of it */
  readonly outage: { readonly requests: number; readonly most: number };
  /** what did not become so in its time */
  readonly missed: readonly string[];
}

const countOf = ({ seen }: Member, name: string): number => seen.events.filter((event) => event.name === name).length;

const storeEventsOf = ({ seen }: Member): string[] =>
  seen.events.filter(({ operation }) => /admit|record|control/.test(String(operation))).map(({ name }) => name);

export function violationsOf({ members, due, outage, missed }: Run): string[] {
  const found: string[] = [...missed];
  const check = (isRight: boolean, what: string): void => {
    if (!isRight) found.push(what);
  };
  for (const member of members) {
    const { name, load, seen, growth, ending } = member;
    const { raw, loop } = load.latestOwn;
    check(load.wrong.length === 0, `${name}: wrong answers: ${JSON.stringify(load.wrong)}`);
    check(raw - loop <= LATENESS, `${name}: a call was ${raw.toFixed(0)} ms late, the loop ${loop.toFixed(0)} ms`);
    check(load.calls >= due * LEAST_CALLS, `${name}: only ${load.calls} of ${due} calls were made`);
    check(seen.troubles.length === 0, `${name}: ${seen.troubles.join('; ')}`);
    check(growth < GROWTH, `${name}: the heap has grown by ${growth} bytes`);
    const told = storeEventsOf(member);
    const isAlternating = told.every((each, place) => each === (place % 2 === 0 ? 'store.failed' : 'store.recovered'));
    check(told.length > 0 && told.length % 2 === 0 && isAlternating, `${name}: of its store it told ${told.join(' ')}`);
    check(ending.code === 0 && ending.stderr === '', `${name} ended with ${String(ending.code)}: ${ending.stderr}`);
  }
  for (const source of SOURCES) {
    check(
      members.some(({ load }) => load.answers[source] !== undefined),
      `no answer was ever ${source}`,
    );
  }
  check(
    outage.requests <= outage.most,
    `in an outage the upstream was called ${outage.requests} times, at most ${outage.most}`,
  );
  return found;
}

/** A line for each process. */
export function tableOf(members: readonly Member[]): string {
  const ms = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : '-');
  const columns: [string, (member: Member) => unknown][] = [
    ['process', ({ name }) => name],
    ['calls', ({ load }) => load.calls],
    ...SOURCES.map((source): [string, (member: Member) => unknown] => [
      source,
      ({ load }) => load.answers[source] ?? 0,
    ]),
    ['opened', (member) => countOf(member, 'circuit.opened')],
    ['probes', (member) => countOf(member, 'circuit.half-opened')],
    ['failed/recovered', (member) => storeEventsOf(member).length],
    ['worst late, ms', ({ load }) => ms(load.latest.raw)],
    ['less the loop', ({ load }) => ms(load.latestOwn.raw - load.latestOwn.loop)],
    ['heap, kB', ({ growth }) => ms(growth / 1_000)],
  ];
  const lines = [columns.map(([title]) => title), ...members.map((each) => columns.map(([, of]) => String(of(each))))];
  const widths = columns.map((_column, place) => Math.max(...lines.map((line) => line[place]!.length)));
  return lines.map((line) => line.map((cell, place) => cell.padStart(widths[place]!)).join('  ')).join('\n');
}
