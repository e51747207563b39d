/** A program as steps that people can read. */
import { nameOf } from './program.js';
import type { Boundary, Emission, Play, Program, Step } from './program.js';

const details = (options: object): string => JSON.stringify(options).replaceAll('"', '').replaceAll(',', ', ');

export function print(program: Program): string {
  const { rungs, steps, ...options } = program;
  let calls = 0;
  const lines = [
    ...rungs.map((rung, place) => `${nameOf(place)}: ${details(rung)}`),
    `chain: ${details(options)}`,
    ...steps.map(
      (step, place) => `${place + 1}. ${printStep(step, rungs.length, step.do === 'call' ? calls++ : calls)}`,
    ),
  ];
  return lines.join('\n');
}

function printStep(step: Step, rungs: number, calls: number): string {
  switch (step.do) {
    case 'call': {
      const plays = step.plays.slice(0, rungs).map((_play, place) => `${nameOf(place)} ${printPart(step, place)}`);
      const when = step.at === undefined ? '' : ` ${printBoundary(step.at, rungs)}`;
      const how = `${step.isAborted ? ', aborted before' : ''}${step.isSwitchedOff ? ', substitutes off' : ''}${printTakes(step.takes)}`;
      return `call ${calls} (question ${step.question})${when}${how}: ${plays.join(', ')}`;
    }
    case 'abort':
      return `abort call ${calls - 1 - step.back}`;
    case 'leave':
      return `the consumer of call ${calls - 1 - step.back} leaves`;
    case 'advance':
      return `advance ${step.ms} ms`;
    case 'jump':
      return `jump the wall clock by ${step.ms} ms`;
    case 'isolate':
    case 'restore':
      return `${step.do} ${nameOf(step.place % rungs)}`;
    default:
      return step.do;
  }
}

/** A candidate's part: its play, or what it emits and then its end. */
function printPart({ plays, scripts }: Step & { do: 'call' }, place: number): string {
  const play = plays[place]!;
  const script = scripts?.[place];
  if (script === undefined || play.does === 'passes') return printPlay(play);
  const { form, promised, emits } = script;
  const source = `${form}${promised === undefined ? '' : ` promised after ${promised}`}`;
  if (form === 'nothing') return source;
  if (form === 'throws') return `${source} ${printPlay(play)}`;
  const end = play.does === 'ok' ? printPlay(play).replace('ok', 'complete') : printPlay(play);
  return `${source} [${[...emits.map(printEmission), end].join('; ')}]`;
}

const printEmission = ({ as, ...play }: Emission): string => {
  if (as === 'element') return printPlay(play);
  return `${as} ${printPlay(play)}`.replace('priming ok', 'priming');
};

function printTakes(takes: number | undefined): string {
  if (takes === undefined) return '';
  return takes === 0 ? ', never read' : `, left after ${takes}`;
}

function printPlay({ does, after, retryAfter }: Play): string {
  if (does === 'never' || does === 'passes') return does;
  return `${does}${after === 0 ? '' : ` after ${after}`}${retryAfter === undefined ? '' : ` (retry after ${retryAfter})`}`;
}

function printBoundary({ of, place, isEarly }: Boundary, rungs: number): string {
  const whose = of === 'age' || of === 'refresh' ? '' : ` of ${nameOf(place % rungs)}`;
  return `${isEarly ? 'just before' : 'at'} the ${of}${whose}`;
}
