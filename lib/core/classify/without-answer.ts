/** Whether a failure is sure to have cost nothing: the connection broke before any answer came. */
import { NO_CONNECTION } from './network-codes.js';
import { read, readText } from './read.js';
import { statusIn } from './status.js';
import { MAX_NODES, walk } from './walk.js';

const CODES: ReadonlySet<string> = new Set(NO_CONNECTION);

/** False in doubt: an unknown error may have come after the answer. @internal */
export function cameWithoutAnswer(error: unknown): boolean {
  let isBroken = false;
  let isAnswered = false;
  walk(error, { nodes: MAX_NODES }, (node) => {
    const code = readText(node, 'code');
    isBroken ||= CODES.has(code) || code.startsWith('EAI_');
    // fetch says "terminated" when the connection broke in the middle of a body.
    isAnswered =
      read(node, 'response') != null || statusIn(node) !== undefined || readText(node, 'message') === 'terminated';
    return isAnswered ? 'halt' : 'deeper';
  });
  return isBroken && !isAnswered;
}
