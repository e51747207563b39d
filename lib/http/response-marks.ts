/**
 * What a response says of the calls behind it, written at the last moment before its first byte. Values hold names,
 * kinds and seconds only, bounded in number and length.
 */
import type { ServerResponse } from 'node:http';
import { Token, serializeList } from 'structured-headers';
import type { Item } from 'structured-headers';
import type { Receipt } from '../core/types.js';

const MOST_MEMBERS = 10;
const LONGEST_NAME = 100;
/** The statuses that Nest sends unasked. */
const CREATED = 201;
const TOKEN = /^[A-Za-z*][A-Za-z0-9!#$%&'*+\-.^_`|~:/]*$/;

/** @internal */
export interface Marks {
  /** receipts of the outermost calls, in the order of their ends */
  readonly outermost: readonly Receipt[];
  /** whether to name who answered on every response */
  readonly always: boolean;
}

/** Sets the headers; `given` are those that the handler hands over together with the status. @internal */
export function writeMarks(response: ServerResponse, { outermost, always }: Marks, given: ReadonlySet<string>): void {
  const answered = outermost.filter(({ servedBy, source }) => servedBy !== null || source !== 'candidate');
  if (always && answered.length > 0) {
    const members = answered
      .slice(0, MOST_MEMBERS)
      .map(({ chain, servedBy, source }) => member(chain, { by: name(servedBy ?? source) }));
    response.setHeader('Served-By', serializeList(members));
  }
  const degraded = outermost.filter((receipt) => receipt.degraded);
  if (degraded.length === 0) return;
  response.setHeader('Degraded', serializeList(degradedCalls(outermost).map(degradedMember)));
  const ages = degraded.filter(({ source }) => source === 'last-known-good').map(({ age = 0 }) => age);
  if (ages.length > 0) response.setHeader('Age', String(seconds(Math.max(...ages))));
  if (!response.hasHeader('Cache-Control') && !given.has('cache-control'))
    response.setHeader('Cache-Control', 'no-store');
  if (response.statusCode <= CREATED && degraded.some(({ source }) => source === 'deferred')) response.statusCode = 202;
}

/** What a client is told of one degraded call. @internal */
export interface DegradedCall extends Pick<Receipt, 'chain' | 'source' | 'reason'> {
  /** whole seconds */
  readonly age?: number;
}

/** What a client is told of the degraded ones among its outermost calls. @internal */
export function degradedCalls(outermost: readonly Receipt[]): DegradedCall[] {
  return outermost
    .filter((receipt) => receipt.degraded)
    .slice(0, MOST_MEMBERS)
    .map(({ chain, source, reason, age }) => ({
      chain: chain.slice(0, LONGEST_NAME),
      source,
      ...(reason !== undefined && { reason }),
      ...(age !== undefined && { age: seconds(age) }),
    }));
}

type Parameters = Record<string, Token | string | number>;

function degradedMember({ chain, source, reason, age }: DegradedCall): Item {
  return member(chain, {
    source: new Token(source),
    ...(reason !== undefined && { reason: new Token(reason) }),
    ...(age !== undefined && { age }),
  });
}

function member(chain: string, parameters: Parameters): Item {
  return [name(chain), new Map(Object.entries(parameters))];
}

/** A name as a token if it can be one, else as a string without anything that a header cannot hold. */
function name(text: string): Token | string {
  const short = text.slice(0, LONGEST_NAME);
  return TOKEN.test(short) ? new Token(short) : encodeURIComponent(Buffer.from(short).toString());
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
