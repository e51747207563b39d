/** What the rules want to know about one object of the walk, read once. */
import type { Finding } from './finding.js';
import { bodiesOf, wordsOf } from './machine-words.js';
import { ownFinding } from './own.js';
import { className, read, readText } from './read.js';
import { isNestException, statusIn } from './status.js';

/** @internal */
export interface Facts {
  readonly node: object;
  /** what our own brand says, if it bears one */
  readonly own: Finding | undefined;
  readonly code: unknown;
  readonly name: string;
  /** the name of its own class: clients copy and forget `name` */
  readonly className: string;
  readonly message: string;
  readonly nest: boolean;
  /** 300..599 */
  readonly status: number | undefined;
  /** the objects in which an answer's parsed body may say what went wrong */
  readonly bodies: readonly object[];
  /** every string a machine wrote to tell errors apart */
  readonly words: readonly string[];
}

/** @internal */
export function factsOf(node: object): Facts {
  const nest = isNestException(node);
  const message = readText(node, 'message');
  const status = statusIn(node, nest);
  const bodies = bodiesOf(node, message, status !== undefined && !nest);
  return {
    node,
    own: ownFinding(node),
    code: read(node, 'code'),
    name: readText(node, 'name'),
    className: className(node),
    message,
    nest,
    status,
    bodies,
    words: wordsOf(node, bodies),
  };
}
