import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { classifyFailure } from '../../../../lib/core/classify/index.js';
import type { FailureKind } from '../../../../lib/core/types.js';

const named = (name: string, message = '', more: object = {}) =>
  Object.assign(Object.defineProperty(new Error(message), 'name', { value: name }), more);
const nest = (status: number, more: object = {}) => ({ getStatus: () => status, getResponse: () => ({}), ...more });
const elsewhere = (code: string) => runInNewContext(code) as unknown;
const caused = (error: Error, cause: unknown) => Object.assign(error, { cause });

type Row = readonly [what: string, error: unknown, kind: FailureKind];
const check = (rows: readonly Row[]) =>
  it.each(rows)('%s', (_what, error, kind) => expect(classifyFailure(error).kind).toBe(kind));

describe('rule 1, gRPC', () => {
  const metadata = { getMap: () => ({}), get: () => [] };
  check([
    ['a code beside metadata', { code: 5, metadata }, 'terminal'],
    ['a code without', { code: 5 }, 'transient'],
    ['metadata of another kind', { code: 5, metadata: {} }, 'transient'],
    ['a code that is none', { code: 404, metadata }, 'transient'],
  ]);
});

describe('rule 2, machine tokens', () => {
  check([
    [
      'an AWS name with a namespace',
      { __type: 'com.amazonaws.sqs#ThrottledException', statusCode: 400 },
      'rate-limited',
    ],
    [
      'rate limit before quota',
      { status: 429, type: 'insufficient_quota', code: 'rate_limit_exceeded' },
      'rate-limited',
    ],
    ['the card before the 402', { statusCode: 402, rawType: 'card_error' }, 'terminal'],
    [
      'a token in response.body.error',
      { response: { statusCode: 429, body: { error: { code: 'billing_error' } } } },
      'denied',
    ],
    ['a token in error.error', { status: 429, error: { error: { type: 'permission_error' } } }, 'denied'],
    ['a token in JSON in the message', named('E', '{"error":{"status":"RESOURCE_EXHAUSTED"}}'), 'rate-limited'],
    ['a message that is no JSON', named('E', '{"error":'), 'transient'],
    ['DEADLINE_EXCEEDED with a status', { status: 400, code: 'DEADLINE_EXCEEDED' }, 'timeout'],
    ['DEADLINE_EXCEEDED without', { code: 'DEADLINE_EXCEEDED' }, 'transient'],
    ['a context too long', { status: 400, code: 'context_length_exceeded' }, 'unsupported'],
  ]);
});

describe('rule 3, HTTP statuses', () => {
  check([
    ...([402, 401, 403] as const).map((status): Row => [`${status}`, { status }, 'denied']),
    ...([408, 504, 522, 524] as const).map((status): Row => [`${status}`, { status }, 'timeout']),
    ...([425, 500, 503, 520, 529, 599] as const).map((status): Row => [`${status}`, { status }, 'transient']),
    ...([400, 404, 409, 410, 422, 499] as const).map((status): Row => [`${status}`, { status }, 'terminal']),
    ...([413, 501] as const).map((status): Row => [`${status}`, { status }, 'unsupported']),
    ...([400, 401, 402, 403, 413, 418] as const).map((s): Row => [`${s} of Nest`, nest(s), 'terminal']),
    ['408 of Nest', nest(408), 'timeout'],
    ['425 of Nest', nest(425), 'transient'],
    ['429 of Nest', nest(429), 'rate-limited'],
    ['403 of Nest with Retry-After', nest(403, { headers: { 'retry-after': '7' } }), 'terminal'],
    ['402 of Nest with a token', nest(402, { code: 'insufficient_quota' }), 'denied'],
    ['getStatus alone', { getStatus: () => 403 }, 'transient'],
    ['403 with Retry-After', { status: 403, headers: { 'Retry-After': '7' } }, 'rate-limited'],
    ['403 with nothing remaining', { status: 403, headers: { 'X-RateLimit-Remaining': '0' } }, 'rate-limited'],
    ['a status in words', { status: '429' }, 'rate-limited'],
    ['200 and 404', { status: 200, response: { status: 404 } }, 'terminal'],
    ['SendGrid’s code', { code: 401 }, 'denied'],
    ['an exit code', { code: 255 }, 'transient'],
    ['302 that wraps a 404', { status: 302, cause: { status: 404 } }, 'terminal'],
    ['302 with a code', { response: { statusCode: 302 }, code: 'ETIMEDOUT' }, 'timeout'],
  ]);
});

describe('rule 4, string codes', () => {
  check([
    ['ECONNABORTED by a timer', named('E', 'Timeout of 100ms exceeded', { code: 'ECONNABORTED' }), 'timeout'],
    ['ECONNABORTED', named('E', 'Request aborted', { code: 'ECONNABORTED' }), 'transient'],
    ['an AWS name beside a code', named('TimeoutError', '', { code: 'ECONNRESET' }), 'transient'],
    ['a TypeError with a code', Object.assign(new TypeError('ETIMEDOUT'), { code: 'ETIMEDOUT' }), 'timeout'],
    ['ERR_NETWORK over a definite cause', { code: 'ERR_NETWORK', cause: { code: 'ETIMEDOUT' } }, 'timeout'],
    ['ERR_NETWORK alone', { code: 'ERR_NETWORK' }, 'transient'],
    ['ERR_GOT_REQUEST_ERROR over a cause', { code: 'ERR_GOT_REQUEST_ERROR', cause: { code: 'EPIPE' } }, 'transient'],
    ['ERR_GOT_REQUEST_ERROR alone', { code: 'ERR_GOT_REQUEST_ERROR', cause: {} }, 'terminal'],
    ...['EAI_AGAIN', 'HPE_INVALID_CONSTANT', 'Z_BUF_ERROR', 'ERR_SSL_X', 'ERR_HTTP2_X', 'UNABLE_TO_GET_CRL'].map(
      (code): Row => [code, Object.assign(new TypeError(code), { code }), 'transient'],
    ),
    ['ERR_INVALID_URL', { code: 'ERR_INVALID_URL' }, 'terminal'],
    ['an unknown code', { code: 'ENOENT' }, 'transient'],
    ['SQLSTATE of a shutdown', { code: '57P01' }, 'transient'],
    ['SQLSTATE of a role', { code: '28000' }, 'denied'],
    ['an errno of five letters', { code: 'EPERM' }, 'transient'],
    ['a number of five digits', { code: 20429 }, 'transient'],
    ['sqlState beside a name', { code: 'ER_DUP_ENTRY', sqlState: '23000' }, 'terminal'],
    ['sqlState alone', { sqlState: '08S01' }, 'transient'],
    ['a MySQL name before its state', { code: 'ER_LOCK_DEADLOCK', sqlState: 'HY000' }, 'transient'],
  ]);
});

describe('rules 5 and 6, aborts and names', () => {
  class AbortError extends Error {}
  class Outage extends AbortError {}
  class ReplyError extends Error {}
  check([
    ['an abort by class', new AbortError(), 'transient'],
    ['an abort with a TimeoutError', { code: 'ABORT_ERR', cause: new DOMException('', 'TimeoutError') }, 'timeout'],
    ['an abort that says so', named('AbortError', 'aborted due to timeout'), 'timeout'],
    ['no abort by descent', caused(new Outage(), { status: 404 }), 'terminal'],
    [
      'a weak wrapper over a definite cause',
      named('APIConnectionError', '', { cause: { code: 'ETIMEDOUT' } }),
      'timeout',
    ],
    ['Redis, loading', new ReplyError('LOADING Redis is loading'), 'transient'],
    ['Redis, password', new ReplyError('WRONGPASS invalid'), 'denied'],
    ['Redis, anything else', new ReplyError('ERR unknown command'), 'terminal'],
    ['cockatiel, timeout', { isTaskCancelledError: true, message: 'Operation timed out after 5ms' }, 'timeout'],
    ['cockatiel, cancelled', { isTaskCancelledError: true, message: 'Operation cancelled' }, 'transient'],
    ['cockatiel, bulkhead', { isBulkheadRejectedError: true, cause: { status: 404 } }, 'transient'],
    ['a refused request in a stream', { error: { type: 'invalid_request_error' } }, 'terminal'],
    ['a length that ran out', named('LengthFinishReasonError'), 'unsupported'],
  ]);
});

describe('rules 7 to 9, errors of the language', () => {
  const reset = { code: 'ECONNRESET' };
  check([
    ['JSON that broke off', new SyntaxError('Unexpected end of JSON input'), 'transient'],
    ['JSONP is another word', new SyntaxError('JSONP'), 'terminal'],
    ['a RegExp', new SyntaxError('Invalid regular expression'), 'terminal'],
    ['fetch failed', caused(new TypeError('fetch failed'), { code: 'ETIMEDOUT' }), 'timeout'],
    ['terminated', new TypeError('terminated'), 'transient'],
    ['an unknown scheme', caused(new TypeError('fetch failed'), new Error('unknown scheme')), 'terminal'],
    ['a bad port', caused(new TypeError('fetch failed'), new Error('bad port')), 'terminal'],
    ['a bug over a network error', caused(new TypeError('x is not a function'), reset), 'terminal'],
    ['a bug of another realm', elsewhere('new TypeError("x")'), 'terminal'],
    ['a network error of another realm', elsewhere('new TypeError("fetch failed")'), 'transient'],
    ['an error of another realm', elsewhere('new Error("x")'), 'transient'],
    ['a class derived from RangeError', new (class extends RangeError {})(), 'terminal'],
    ['a name that is only copied', named('TypeError', 'x'), 'transient'],
  ]);
});

describe('rule 10, text', () => {
  check([
    ['a plain Error', new Error('Command timed out'), 'timeout'],
    ['killed', Object.assign(new Error('Command failed'), { killed: true, signal: 'SIGTERM', code: null }), 'timeout'],
    ['socket hang up', new Error('socket hang up'), 'transient'],
    ['with a code', Object.assign(new Error('timeout', { cause: { status: 404 } }), { code: 'E_X' }), 'terminal'],
    ['another name', named('OtherError', 'timeout', { cause: { status: 404 } }), 'terminal'],
    ['over a cause', new Error('Connection terminated', { cause: { status: 404 } }), 'transient'],
  ]);
});
