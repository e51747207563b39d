import { ENGINES } from '../engines/engines.service.js';
import type { Bill } from './bill.js';
import { QUERIES } from './queries.js';

const WIDTHS = [27, 10, 9, 9, 9, 9, 10, 0];

/** The bill, one line for each way of asking. */
export function printBill({ lines }: Bill): void {
  console.log(`The bill for ${QUERIES.length} queries: requests that each engine charged, and the sum`);
  console.log(row('', 'answered', ...ENGINES, 'spent', ''));
  const ladder = lines[0]!.spent;
  for (const { strategy, answered, charged, spent } of lines) {
    const times = spent === ladder ? '' : `${(spent / ladder).toFixed(1)} times the ladder`;
    const cells = [answered, ...ENGINES.map((name) => charged[name])].map(String);
    console.log(row(strategy, ...cells, `$${(spent / 1_000).toFixed(3)}`, times));
  }
  console.log();
}

function row(...cells: readonly string[]): string {
  return `  ${cells.map((cell, column) => cell.padEnd(WIDTHS[column]!)).join('')}`.trimEnd();
}
