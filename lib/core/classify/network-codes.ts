/**
 * Rule 4. String codes of Node, undici, axios, got, breakers and database drivers. They come before names, which some
 * clients copy or invent, and before the rule on TypeErrors.
 */
import type { Facts } from './facts.js';
import {
  DENIED,
  dictionary,
  TERMINAL,
  TIMEOUT,
  TRANSIENT,
  WEAK_TERMINAL,
  WEAK_TRANSIENT,
  type Finding,
} from './finding.js';
import { readText } from './read.js';
import { sqlState } from './sql-states.js';

/** Codes of a connection that failed or broke. @internal */
export const NO_CONNECTION: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EPROTO',
  'ESHUTDOWN',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
];
const BROKEN_ANSWER = [
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_BAD_RESPONSE',
  'ERR_BODY_PARSE_FAILURE',
  'ERR_READING_RESPONSE_STREAM',
  'ERR_TOO_MANY_REDIRECTS',
  'ERR_FR_TOO_MANY_REDIRECTS',
];
const CERTIFICATES = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
];
const FOREIGN_BREAKERS = ['EOPENBREAKER', 'ESEMLOCKED'];
const MYSQL_BUSY = [
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_HOST_IS_BLOCKED',
];

const BY_CODE = dictionary<Finding>([
  [WEAK_TRANSIENT, ['ERR_NETWORK']],
  [WEAK_TERMINAL, ['ERR_GOT_REQUEST_ERROR']],
  [TRANSIENT, [...NO_CONNECTION, ...BROKEN_ANSWER, ...CERTIFICATES, ...FOREIGN_BREAKERS, ...MYSQL_BUSY]],
  [TERMINAL, ['ERR_ASSERTION', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_BAD_REQUEST', 'UND_ERR_INVALID_ARG']],
  [DENIED, ['ER_ACCESS_DENIED_ERROR', 'ER_BAD_DB_ERROR']],
]);

const FAMILIES: readonly (readonly [RegExp, Finding])[] = [
  [/^(?:EAI_|HPE_|ERR_SSL_|ERR_HTTP2_|UNABLE_TO_|Z_\w+_ERROR$)/, TRANSIENT],
  [/^ERR_INVALID_/, TERMINAL],
  // ETIMEDOUT, ESOCKETTIMEDOUT, ETIMEOUT (DNS), UND_ERR_HEADERS_TIMEOUT, CONNECT_TIMEOUT, ER_GET_CONNECTION_TIMEOUT
  [/TIMED?OUT$/, TIMEOUT],
];

/** @internal */
export function stringCode({ node, code, message }: Facts): Finding | undefined {
  // axios and superagent say so when their own timer fired; Node when the connection broke.
  if (code === 'ECONNABORTED') return /time/i.test(message) ? TIMEOUT : TRANSIENT;
  const known = typeof code === 'string' ? byCode(code) : undefined;
  return known ?? sqlState(code, readText(node, 'sqlState'));
}

function byCode(code: string): Finding | undefined {
  return BY_CODE.get(code) ?? FAMILIES.find(([pattern]) => pattern.test(code))?.[1];
}
