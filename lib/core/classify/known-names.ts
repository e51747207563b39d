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

/** Whoever sets a timer calls the error after it: TimeoutError, ConnectTimeoutError, OperationTimedOutError. */
const TIMED_OUT = /(?<!invalid)(?:Timeout|TimedOut)Error$/i;

const WRAPPERS = [
  'APIConnectionError',
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MaxRetriesPerRequestError',
  'EmptyError',
];

const BY_NAME = dictionary<Finding>([
  [WEAK_TRANSIENT, WRAPPERS],
  [TERMINAL, ['ZodError', 'ArgumentOutOfRangeError', 'InvalidCharacterError', 'DataCloneError']],
  [UNSUPPORTED, ['LengthFinishReasonError']],
  [DENIED, ['CredentialsProviderError']],
]);

/** A type tells of the whole family of an error, so a deeper cause knows better. */
const BY_TYPE = dictionary<Finding>([
  [TIMEOUT, ['request-timeout', 'body-timeout']],
  [WEAK_TRANSIENT, ['StripeAPIError', 'StripeConnectionError']],
  [WEAK_TRANSIENT, ['overloaded_error', 'server_error', 'api_error', 'UNAVAILABLE']],
]);

/** Redis puts the kind of an error into the first word of its message; every other one is the command's fault. */
const REDIS_REPLIES = dictionary<Finding>([
  [TRANSIENT, ['LOADING', 'READONLY', 'CLUSTERDOWN', 'MASTERDOWN', 'TRYAGAIN', 'BUSY', 'OOM', 'MOVED', 'ASK']],
  [DENIED, ['NOAUTH', 'WRONGPASS', 'NOPERM']],
]);

/** What the clients of Redis call a reply that is an error. */
const REPLIES: ReadonlySet<string> = new Set(['ReplyError', 'ErrorReply']);
/** Names that others may use too: such an error is a reply only if it begins with a word of Redis. */
const TYPED_REPLIES: ReadonlySet<string> = new Set(['SimpleError', 'BlobError']);
const REFUSED_COMMAND = /^(?:ERR|WRONGTYPE|NOSCRIPT|EXECABORT|CROSSSLOT|NOPROTO|BUSYGROUP|NOGROUP) /;

function redis({ name, className, message }: Facts): Finding | undefined {
  const found = REDIS_REPLIES.get(message.split(' ', 1)[0] ?? '');
  if (REPLIES.has(name) || REPLIES.has(className)) return found ?? TERMINAL;
  if (!TYPED_REPLIES.has(className)) return undefined;
  return found ?? (REFUSED_COMMAND.test(message) ? TERMINAL : undefined);
}

function cockatiel({ node, message }: Facts): Finding | undefined {
  if (read(node, 'isTaskCancelledError') === true) return /timed out/i.test(message) ? TIMEOUT : TRANSIENT;
  const refused = read(node, 'isBrokenCircuitError') === true || read(node, 'isBulkheadRejectedError') === true;
  return refused ? TRANSIENT : undefined;
}

function byName({ name, className }: Facts): Finding | undefined {
  if (TIMED_OUT.test(name) || TIMED_OUT.test(className)) return TIMEOUT;
  return prefer(BY_NAME.get(name), BY_NAME.get(className));
}

function byType({ words, status }: Facts): Finding | undefined {
  if (status === undefined && words.includes('invalid_request_error')) return TERMINAL;
  return words.map((word) => BY_TYPE.get(word)).find(Boolean);
}

/** @internal */
export function knownName(facts: Facts): Finding | undefined {
  return redis(facts) ?? byName(facts) ?? cockatiel(facts) ?? byType(facts);
}
