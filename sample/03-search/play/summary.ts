import type { Figure } from '../../stage/summary.js';
import type { Bill } from '../bill/bill.js';
import { QUERIES, countOf } from '../bill/queries.js';

/** The bill once more, worked out from what is asked; money is in tenths of a cent. */
export function figuresOf({ lines, byReceipts }: Bill): Figure[] {
  const [ladder, race, retry, escalate] = lines as [Line, Line, Line, Line];
  const slow = countOf('archived');
  const zero = countOf('unwritten');
  const least = 5 * countOf('scholarly', 'unwritten', 'archived') + 10 * slow;
  return [
    { what: 'answered by the ladder', expected: QUERIES.length - zero, measured: ladder.answered },
    {
      what: 'answered by no way more',
      expected: ladder.answered,
      measured: Math.max(...lines.map((line) => line.answered)),
    },
    { what: 'the ladder spent', expected: least, measured: ladder.spent },
    { what: 'the same by its receipts', expected: least, measured: byReceipts },
    { what: 'race all spent', expected: 15 * QUERIES.length, measured: race.spent },
    { what: 'retry the slow spent', expected: least + 5 * slow, measured: retry.spent },
    { what: 'escalation spent', expected: least + 10 * zero, measured: escalate.spent },
  ];
}

type Line = Bill['lines'][number];
