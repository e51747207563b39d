/**
 * Rule 2. Words that mean more than the HTTP status beside them: a 429 may be an empty account, a 400 may be throttling.
 * Where several are present, the earlier list wins.
 */
import type { Facts } from './facts.js';
import { DENIED, dictionary, RATE_LIMITED, TERMINAL, TIMEOUT, UNSUPPORTED, type Finding } from './finding.js';

const AWS_THROTTLING = [
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'TooManyRequests',
  'TooManyRequestsException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'PriorRequestNotComplete',
];

const EMPTY_ACCOUNT = [
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_error',
  'ServiceQuotaExceededException',
];

const REFUSED_CREDENTIALS = [
  'invalid_api_key',
  'authentication_error',
  'permission_error',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'AccessDenied',
  'UnrecognizedClientException',
  'StripeAuthenticationError',
  'StripePermissionError',
];

/** AWS's too, some of them with status 400. Applications have exceptions of these names, so Nest's are left alone. */
const AWS_REFUSALS = [
  'AccessDeniedException',
  'ExpiredTokenException',
  'IncompleteSignature',
  'IncompleteSignatureException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
];
const NOT_OF_NEST: ReadonlySet<string> = new Set(AWS_REFUSALS);

/** In the order in which they win. */
const LISTS: readonly (readonly [Finding, readonly string[]])[] = [
  [TERMINAL, ['card_error', 'StripeCardError']],
  [RATE_LIMITED, ['rate_limit_exceeded', 'rate_limit_error', 'rate_limit', 'RESOURCE_EXHAUSTED', ...AWS_THROTTLING]],
  [DENIED, ['model_not_found', ...EMPTY_ACCOUNT, ...REFUSED_CREDENTIALS, ...AWS_REFUSALS]],
  [UNSUPPORTED, ['context_length_exceeded', 'request_too_large']],
  // These words are common elsewhere, so they count only in an answer.
  [TIMEOUT, ['RequestTimeout', 'RequestTimeoutException', 'timeout_error', 'DEADLINE_EXCEEDED']],
];
const RANKS = dictionary(LISTS.map(([, words], rank) => [rank, words] as const));

/** @internal */
export function machineToken({ words, status, nest }: Facts): Finding | undefined {
  let best = LISTS.length;
  for (const word of words) if (!nest || !NOT_OF_NEST.has(word)) best = Math.min(best, RANKS.get(word) ?? best);
  const found = LISTS[best]?.[0];
  return found === TIMEOUT && status === undefined ? undefined : found;
}
