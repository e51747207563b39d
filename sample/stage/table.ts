import type { CandidateHealth } from 'nestjs-fallback';
import type { Answer } from './answer.js';

/** What of a step is shown. */
export interface Shown {
  what: string;
  request: string;
  times?: number;
}

const WIDTHS = [4, 31, 8, 14, 10, 17, 7];
const INDENT = ' '.repeat(WIDTHS[0]!);

export function printHead(): void {
  console.log(`\n${row('#', 'request', 'status', 'who answered', 'degraded', 'source', 'age')}`);
  console.log('-'.repeat(WIDTHS.reduce((sum, width) => sum + width)));
}

/** What a step did, what the client saw, and where the circuits stand. */
export function printStep(
  place: number,
  step: Shown,
  answer: Answer,
  more: { candidates: readonly CandidateHealth[]; lines: readonly string[] },
): void {
  printWhat(place, step.what);
  printAnswer(`GET ${step.request}${step.times === undefined ? '' : ` x ${step.times}`}`, answer);
  for (const line of more.lines) printLine(line);
  console.log(`${INDENT}circuits: ${more.candidates.map(circuit).join(', ')}\n`);
}

export function printWhat(place: number, what: string): void {
  console.log(row(`${place}`, what));
}

export function printAnswer(request: string, answer: Answer): void {
  const { status, by = '-', source = '-', age, degraded, retryAfter } = answer;
  const isDegraded = source === '-' ? '-' : degraded === undefined ? 'no' : 'yes';
  console.log(row('', request, `${status}`, by, isDegraded, source, age === undefined ? '-' : `${seconds(age)} s`));
  if (degraded !== undefined) console.log(`${INDENT}Degraded: ${degraded}`);
  if (retryAfter !== undefined) console.log(`${INDENT}Retry-After: ${retryAfter}`);
}

export function printLine(line: string): void {
  console.log(INDENT + line);
}

export function printWrong(sentence: string): void {
  printLine(`WRONG: ${sentence}`);
}

function row(...cells: readonly string[]): string {
  return cells
    .map((cell, column) => cell.padEnd(WIDTHS[column]!))
    .join('')
    .trimEnd();
}

function circuit({ candidate, state, coolingFor }: CandidateHealth): string {
  return `${candidate} ${state}${coolingFor > 0 ? ` (${seconds(coolingFor)} s)` : ''}`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
