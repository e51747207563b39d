/** One receipt scope per HTTP request: it marks the response and ends the calls of a client that went away. */
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ClientDisconnectedError } from '../core/errors.js';
import { writeMarks } from './response-marks.js';
import { Scope } from './scope.js';

/** Middleware for Express, and for Fastify, which hands it the raw response too. @internal */
export function requestScope(receipt: 'degraded' | 'always') {
  return (_request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    // Ended by whoever answers, be the client still there or not.
    const scope = new Scope(() => response.writableEnded);
    beforeFirstByte(response, (given) =>
      writeMarks(response, { outermost: scope.outermost, always: receipt === 'always' }, given),
    );
    response.on('close', () => {
      if (!response.writableFinished) scope.end(new ClientDisconnectedError());
    });
    scope.enter(next);
  };
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/** Node sends every head through `writeHead`, also the one that nobody asked for. */
function beforeFirstByte(response: ServerResponse, act: (given: ReadonlySet<string>) => void): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]): ServerResponse => {
    response.writeHead = writeHead;
    response.statusCode = status;
    act(namesOf(rest.at(-1) as Headers));
    return writeHead(response.statusCode, ...rest);
  };
}

function namesOf(headers: Headers): ReadonlySet<string> {
  if (typeof headers !== 'object' || headers === null) return new Set();
  const names = Array.isArray(headers) ? headers.flatMap(nameIn) : Object.keys(headers);
  return new Set(names.map((name) => name.toLowerCase()));
}

/** Raw headers are a flat list of names and values, or a list of pairs. */
function nameIn(header: unknown, place: number): string[] {
  if (Array.isArray(header)) return [String(header[0])];
  return place % 2 === 0 ? [String(header)] : [];
}
