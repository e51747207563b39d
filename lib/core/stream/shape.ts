import { tryMark } from '../answer.js';
import type { Call } from '../call.js';
import { envelope, setReceipt } from '../marks.js';
import { UNMARKABLE } from '../plan.js';
import type { Ending } from '../receipt.js';
import type { Receipt } from '../types.js';
import { unwrap } from '../unwrap.js';

/** What is done to every element on its way to the consumer. Gives UNMARKABLE for one that cannot carry its mark. @internal */
export type Shape = (element: unknown) => unknown;

/** Marks as for values, on every element; null where elements pass as they are. @internal */
export function shapeOf(call: Call, ending: Ending, receipt: Receipt | null): Shape | null {
  const { marker } = call.plan;
  const { servedBy, source, degraded, index = 0 } = ending;
  if (degraded) return (element) => markElement(call, element, receipt!);
  if (marker?.wrapsAll === true) {
    return (element) => withReceipt(envelope(unwrap(call, element), { servedBy, source, degraded }), index, receipt);
  }
  return index === 0 ? null : (element) => withReceipt(element, index, receipt);
}

/** All elements of a finite list in their shape; null if one of them cannot carry its mark, which is reported. @internal */
export function shapeAll(
  call: Call,
  elements: readonly unknown[],
  shape: Shape | null,
  source: string,
): unknown[] | null {
  const shaped = shape === null ? [...elements] : elements.map(shape);
  if (!shaped.includes(UNMARKABLE)) return shaped;
  call.plan.engine.report({ name: 'substitute.unmarkable', chain: call.plan.name, source });
  return null;
}

function markElement(call: Call, element: unknown, receipt: Receipt): unknown {
  const { marker } = call.plan;
  const value = unwrap(call, element);
  const marked = marker === null ? value : tryMark(call, value, receipt);
  if (marked !== UNMARKABLE) setReceipt(marked, receipt);
  return marked;
}

function withReceipt(element: unknown, index: number, receipt: Receipt | null): unknown {
  if (index !== 0 && receipt !== null) setReceipt(element, receipt);
  return element;
}
