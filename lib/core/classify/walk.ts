/**
 * The walk over an error and what it wraps, breadth first. Each object is visited once. It ends MAX_DEPTH levels down
 * and after the caller's budget of nodes, so that neither cycles nor endless chains of causes can hold it up.
 */
import { className, hasMethod, isError, isObject, read } from './read.js';

const MAX_DEPTH = 32;

/** How many objects one classification looks at, members of aggregates included. @internal */
export const MAX_NODES = 256;

/** What the visitor wants next: go on, go on but not beneath this node, or end the walk. @internal */
export type Next = 'deeper' | 'skip' | 'halt';

/** @internal */
export interface Budget {
  nodes: number;
}

/** Nest's RpcException keeps its payload in `error`, whatever it is. Classes derived from it have `getError` too. */
function isRpcException(node: object): boolean {
  return className(node) === 'RpcException' || hasMethod(node, 'getError');
}

function enqueue(queue: unknown[], node: object): void {
  const error = read(node, 'error');
  queue.push(read(node, 'cause'), read(node, 'originalError'), read(node, 'detail'));
  queue.push(read(read(node, 'raw'), 'exception'));
  if (isObject(error) && (isError(error) || isRpcException(node))) queue.push(error);
}

/** @internal */
export function walk(root: unknown, budget: Budget, visit: (node: object) => Next): void {
  const seen = new Set<unknown>();
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0 && depth <= MAX_DEPTH; depth += 1) {
    const beneath: unknown[] = [];
    for (const node of level) {
      if (!isObject(node) || seen.has(node)) continue;
      if (budget.nodes <= 0) return;
      budget.nodes -= 1;
      seen.add(node);
      const next = visit(node);
      if (next === 'halt') return;
      if (next === 'deeper') enqueue(beneath, node);
    }
    level = beneath;
  }
}
