/** One line of the table: what was measured, what it should be, and what it must be. */

import { KNOWN_MISSES } from './known-misses.mjs';

/** The gate is this much looser than the goal; counts must be exact. */
const SLACK = 1.3;
/** What a row may be compared with so that it can fail a run. Ratios to npm peers are told, never asserted. */
const ASSERTED = { full: ['hand', 'ladder', 'itself', 'bytes', 'count'], short: ['hand', 'itself', 'bytes', 'count'] };

/**
 * @param against hand, ladder, itself, peer (ratios), bytes, count; `info` has no goal
 * @param limit the goal; at most, or at least with `atLeast`
 * @param slack how much looser the gate is
 */
export function row(goal, what, value, against, limit = null, { atLeast = false, slack = slackOf(against) } = {}) {
  const own = limit === null ? null : atLeast ? limit / slack : limit * slack;
  const held = KNOWN_MISSES.get(what);
  return { goal, what, value, against, limit, gate: held ?? own, own, atLeast };
}

const slackOf = (against) => (against === 'count' ? 1 : SLACK);

const isWithin = ({ value, atLeast }, bound) => (atLeast ? value >= bound : value <= bound);

export const isMet = (each) => each.limit === null || isWithin(each, each.limit);

export const isAsserted = (each, form) => each.limit !== null && ASSERTED[form].includes(each.against);

export const isFailing = (each, form) => isAsserted(each, form) && !isWithin(each, each.gate);

function verdict(each, form) {
  if (each.limit === null) return '';
  if (isMet(each)) return 'met';
  if (isFailing(each, form)) return 'FAILS THE GATE';
  if (!isAsserted(each, form)) return 'missed, not asserted';
  return isWithin(each, each.own) ? 'missed, within the gate' : 'MISSED, held where it stands';
}

function show(number, { against }) {
  if (against === 'bytes') return `${Math.round(number)} B`;
  if (against === 'count') return String(number);
  if (against === 'info') return `${number}`;
  return `${number.toFixed(2)}x`;
}

/** The table as lines of Markdown. */
export function table(rows, form) {
  const bound = (each, number) => (number === null ? '' : `${each.atLeast ? '>=' : '<='} ${show(number, each)}`);
  const cells = rows.map((each) => [
    String(each.goal),
    each.what,
    show(each.value, each),
    bound(each, each.limit),
    isAsserted(each, form) ? bound(each, each.gate) : '',
    verdict(each, form),
  ]);
  const all = [['goal', 'case', 'measured', 'goal', 'gate', 'verdict'], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const lineOf = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lineOf(all[0]), rule, ...cells.map(lineOf)].join('\n');
}
