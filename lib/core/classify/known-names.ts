/** Rule 6. Names: the own name or the own class's, never an ancestor's; and types that an API writes into its answers. */
import type { Facts } from './facts.js';
import {
  DENIED,
  dictionary,
  prefer,
  TERMINAL,
  TIMEOUT,
  TRANSIENT,
  UNSUPPORTED,
  WEAK_TRANSIENT,
  type Finding,
} from './finding.js';
import { read } from './read.js';

const TIMEOUTS = [
  'TimeoutError',
  'APIConnectionTimeoutError',
  'HeadersTimeoutError',
  'BodyTimeoutError',
  'ConnectTimeoutError',
  'MongoOperationTimeoutError',
];
const WRAPPERS = [
  'APIConnectionError',
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MaxRetriesPerRequestError',
  'EmptyError',
];

const BY_NAME = dictionary<Finding>([
  [TIMEOUT, TIMEOUTS],
  [WEAK_TRANSIENT, WRAPPERS],
  [TERMINAL, ['ZodError', 'ArgumentOutOfRangeError', 'InvalidCharacterError', 'DataCloneError']],
  [UNSUPPORTED, ['LengthFinishReasonError']],
  [DENIED, ['CredentialsProviderError']],
]);

/** A type tells of the whole family of an error, so a deeper cause knows better. */
const BY_TYPE = dictionary<Finding>([
  [WEAK_TRANSIENT, ['StripeAPIError', 'StripeConnectionError']],
  [WEAK_TRANSIENT, ['overloaded_error', 'server_error', 'api_error', 'UNAVAILABLE']],
]);

/** Redis puts the kind of an error into the first word of its message; every other one is the command's fault. */
const REDIS_REPLIES = dictionary<Finding>([
  [TRANSIENT, ['LOADING', 'READONLY', 'CLUSTERDOWN', 'MASTERDOWN', 'TRYAGAIN', 'BUSY', 'OOM', 'MOVED', 'ASK']],
  [DENIED, ['NOAUTH', 'WRONGPASS', 'NOPERM']],
]);

function cockatiel({ node, message }: Facts): Finding | undefined {
  if (read(node, 'isTaskCancelledError') === true) return /timed out/i.test(message) ? TIMEOUT : TRANSIENT;
  const refused = read(node, 'isBrokenCircuitError') === true || read(node, 'isBulkheadRejectedError') === true;
  return refused ? TRANSIENT : undefined;
}

function byType({ words, status }: Facts): Finding | undefined {
  if (status === undefined && words.includes('invalid_request_error')) return TERMINAL;
  return words.map((word) => BY_TYPE.get(word)).find(Boolean);
}

/** @internal */
export function knownName(facts: Facts): Finding | undefined {
  const { name, className, message } = facts;
  if (name === 'ReplyError' || className === 'ReplyError') {
    return REDIS_REPLIES.get(message.split(' ', 1)[0] ?? '') ?? TERMINAL;
  }
  return prefer(BY_NAME.get(name), BY_NAME.get(className)) ?? cockatiel(facts) ?? byType(facts);
}
