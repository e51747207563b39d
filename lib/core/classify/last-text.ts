import type { FailureKind } from '../types.js';
import { textOnly } from './plain-text.js';

/** Longer texts are not kept. */
const LONGEST = 200;

/**
 * What the last bare error of a candidate said. Whoever is down says the same again and again, and to search a text takes
 * longer than all else that is asked of such an error.
 * @internal
 */
export interface LastText {
  /** no JSON */
  text: string;
  kind: FailureKind | undefined;
}

/** @internal */
export function newLastText(): LastText {
  return { text: '', kind: undefined };
}

/** What the text of a bare error means; `undefined` for nothing. @internal */
export function kindOfText(text: string, last: LastText): FailureKind | undefined {
  if (text === last.text) return last.kind;
  const kind = textOnly(text)?.kind;
  if (text.length <= LONGEST) {
    last.text = text;
    last.kind = kind;
  }
  return kind;
}
