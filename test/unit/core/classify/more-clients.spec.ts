/**
 * What further clients throw, by the kind of thing they do differently: made by running them against servers that refuse,
 * hang, break off and answer with errors. Fields that say nothing are left out.
 */
import { describe, expect, it } from '@jest/globals';
import { classifyFailure } from '../../../../lib/core/classify/index.js';
import type { FailureKind } from '../../../../lib/core/types.js';

const thrown = (className: string, message: string, more: object = {}): Error => {
  const Own = { [className]: class extends Error {} }[className] ?? Error;
  return Object.assign(new Own(message), more);
};
/** A client that names its errors too. */
const named = (name: string, message: string, more: object = {}) => thrown(name, message, { name, ...more });

const QUOTA = { error: { message: 'You exceeded your quota', type: 'insufficient_quota', code: 'insufficient_quota' } };
const CONTEXT = { error: { message: 'maximum context length', code: 'context_length_exceeded' } };
const WAIT = { 'retry-after': '7' };

type Row = readonly [what: string, error: unknown, kind: FailureKind, retryAfter?: number];
const check = (rows: readonly Row[]) =>
  it.each(rows.map(([what, ...row]) => [what, row] as const))('%s', (_what, [error, kind, retryAfter]) => {
    expect(classifyFailure(error)).toEqual(retryAfter === undefined ? { kind } : { kind, retryAfter });
  });

describe('whose timer fired, by the name', () => {
  const cause = named('KafkaJSRequestTimeoutError', 'Request ApiVersions(key: 18, version: 2) timed out');
  check([
    ['knex', named('KnexTimeoutError', 'Timeout acquiring a connection'), 'timeout'],
    ['mongodb, a socket', named('MongoNetworkTimeoutError', 'connection 1 to x timed out'), 'timeout'],
    ['kafkajs', named('KafkaJSNumberOfRetriesExceeded', 'Request timed out', { cause }), 'timeout'],
    ['meilisearch', named('MeilisearchRequestTimeOutError', 'request timed out after 300ms'), 'timeout'],
    ['cassandra', named('OperationTimedOutError', 'The host did not reply'), 'timeout'],
    ['redis, by class', thrown('SocketTimeoutError', 'Expecting data'), 'timeout'],
    ['node-fetch 2, headers', named('FetchError', 'network timeout at: x', { type: 'request-timeout' }), 'timeout'],
    ['node-fetch 2, body', named('FetchError', 'Response timeout', { type: 'body-timeout' }), 'timeout'],
    ['node-fetch 2, anything else', named('FetchError', 'invalid json', { type: 'invalid-json' }), 'transient'],
    ['a code knows better', named('TimeoutError', 'write EPIPE', { code: 'EPIPE' }), 'transient'],
    ['a name that only begins so', named('TimeoutErrorHandler', 'x', { cause: { status: 404 } }), 'terminal'],
  ]);
});

describe('whose timer fired, by the code', () => {
  check([
    ...['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ETIMEOUT', 'CONNECT_TIMEOUT', 'TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].map(
      (code): Row => [code, thrown('E', code, { code }), 'timeout'],
    ),
    [
      'mariadb, a full pool, whose state says nothing',
      thrown('SqlError', 'pool failed', { code: 'ER_GET_CONNECTION_TIMEOUT', sqlState: 'HY000' }),
      'timeout',
    ],
    ['mysql2, a lock', thrown('E', 'x', { code: 'ER_LOCK_WAIT_TIMEOUT', sqlState: 'HY000' }), 'transient'],
    ['a word in the middle', thrown('E', 'x', { code: 'TIMEOUT_UNSET', cause: { status: 404 } }), 'terminal'],
  ]);
});

describe('what Redis answers to node-redis', () => {
  check([
    ['a password', thrown('SimpleError', 'WRONGPASS invalid username-password pair'), 'denied'],
    ['none', thrown('SimpleError', 'NOAUTH Authentication required.'), 'denied'],
    ['loading', thrown('ErrorReply', 'LOADING Redis is loading the dataset in memory'), 'transient'],
    ['memory', thrown('SimpleError', 'OOM command not allowed'), 'transient'],
    ['the wrong type', thrown('BlobError', 'WRONGTYPE Operation against a key'), 'terminal'],
    ['an unknown command', thrown('SimpleError', "ERR unknown command 'NOPE'"), 'terminal'],
    ['a class of that name elsewhere', thrown('SimpleError', 'It is down'), 'transient'],
    ['a closed client', thrown('ClientClosedError', 'The client is closed'), 'transient'],
  ]);
});

describe('credentials that AWS refuses with 400', () => {
  const aws = (name: string) => named(name, 'm', { $metadata: { httpStatusCode: 400 } });
  check([
    ...['AccessDeniedException', 'ExpiredTokenException', 'InvalidSignatureException', 'InvalidClientTokenId'].map(
      (name): Row => [name, aws(name), 'denied'],
    ),
    ['in __type alone', { statusCode: 400, __type: 'com.amazon.coral#MissingAuthenticationTokenException' }, 'denied'],
    ['another one', aws('ValidationException'), 'terminal'],
    [
      'an exception of the application with that name',
      named('AccessDeniedException', 'm', { getStatus: () => 403, getResponse: () => ({}) }),
      'terminal',
    ],
  ]);
});

describe('where the body of an answer is kept', () => {
  const text = JSON.stringify(QUOTA);
  check([
    ['ofetch', named('FetchError', '429', { status: 429, data: QUOTA }), 'denied'],
    ['ai', named('AI_APICallError', 'x', { statusCode: 400, data: CONTEXT, responseBody: '' }), 'unsupported'],
    ['ai, not as expected', named('AI_APICallError', 'x', { statusCode: 429, responseBody: text }), 'denied'],
    ['mistral', named('SDKError', 'API error occurred', { statusCode: 429, body: text }), 'denied'],
    ['got, as text', named('HTTPError', 'x', { response: { statusCode: 429, body: text } }), 'denied'],
    ['axios, as text', named('AxiosError', 'x', { status: 429, response: { status: 429, data: text } }), 'denied'],
    ['Azure', named('RestError', 'x', { statusCode: 429, response: { status: 429, bodyAsText: text } }), 'denied'],
    ['HTML', named('HTTPError', 'x', { response: { statusCode: 429, body: '<html>' } }), 'rate-limited'],
    ['broken JSON', named('HTTPError', 'x', { response: { statusCode: 429, body: '{"error":' } }), 'rate-limited'],
    ['data of Nest’s', named('E', 'x', { getStatus: () => 402, getResponse: () => ({}), data: QUOTA }), 'terminal'],
    ['data of something else', named('E', 'x', { data: QUOTA, cause: { status: 404 } }), 'terminal'],
  ]);
});

describe('where the headers of an answer are kept', () => {
  const cohere = { statusCode: 429, rawResponse: { status: 429, headers: new Headers(WAIT) } };
  check([
    ['ai', named('AI_APICallError', 'x', { statusCode: 429, responseHeaders: WAIT }), 'rate-limited', 7000],
    ['cohere', named('TooManyRequestsError', 'x', cohere), 'rate-limited', 7000],
    ['a 403 that is a limit', named('ForbiddenError', 'x', { ...cohere, statusCode: 403 }), 'rate-limited', 7000],
    ['Azure’s own', { statusCode: 429, headers: { 'x-ms-retry-after-ms': '1500' } }, 'rate-limited', 1500],
    ['headers of no answer', named('E', 'x', { responseHeaders: WAIT }), 'transient'],
  ]);
});

describe('several tries in one error', () => {
  const call = (more: object) => named('AI_APICallError', 'x', more);
  const retried = (...errors: Error[]) => named('AI_RetryError', 'Failed after 2 attempts', { errors });
  const limited = call({ statusCode: 429, responseHeaders: WAIT });
  check([
    ['ai, a limit', retried(limited, limited), 'rate-limited', 7000],
    ['ai, an empty account', retried(call({ statusCode: 429, data: QUOTA })), 'denied'],
    ['ai, different ones', retried(limited, call({ statusCode: 503 })), 'transient'],
    ['algoliasearch keeps none', named('RetryError', 'Unreachable hosts'), 'transient'],
  ]);
});
