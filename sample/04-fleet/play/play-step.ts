import { checks, differences } from '../../stage/step.js';
import type { Check } from '../../stage/step.js';
import { printAnswer, printLine, printWrong } from '../../stage/table.js';
import type { FleetService } from '../fleet/fleet.service.js';
import type { FleetAnswer } from './ask.js';
import { byBourse } from './steps.js';
import type { FleetStep } from './steps.js';

/** Plays one step, prints what came of it, and what of that is wrong. */
export async function playStep(
  step: FleetStep,
  fleet: FleetService,
): Promise<{ answers: FleetAnswer[]; faults: number }> {
  const { bourse, processes } = fleet;
  const { asked } = bourse;
  await step.before?.(fleet);
  const answers = await step.ask(fleet);
  // A moment may pass until all have heard of it.
  await fleet.untilAll(step.circuits).catch(() => {});
  const states = await fleet.circuits();

  const wasAsked = bourse.asked - asked;
  for (const [request, answer] of grouped(answers)) printAnswer(request, answer);
  printLine(`bourse: asked ${wasAsked} x, circuits ${states.join(', ')}`);
  const faults = new Set(
    differences([
      ...checksOf(step, answers),
      ['requests to the bourse', step.asked, wasAsked],
      ...states.map((state, place): Check => [`circuit in ${processes[place]!.name}`, step.circuits, state]),
    ]),
  );
  for (const fault of faults) printWrong(fault);
  console.log();
  return { answers, faults: faults.size };
}

function checksOf({ expect, isProbed = false }: FleetStep, answers: readonly FleetAnswer[]): Check[] {
  if (!isProbed) return answers.flatMap((answer) => checks(expect, answer, []));
  const probes = answers.filter(({ by }) => by === byBourse.by);
  const others = answers.filter((answer) => !probes.includes(answer));
  return [
    ['answers of the probe', 1, probes.length],
    ...probes.flatMap((answer) => checks(byBourse, answer, [])),
    ...others.flatMap((answer) => checks(expect, answer, [])),
  ];
}

/** What one process answered alike is one line. */
function grouped(answers: readonly FleetAnswer[]): [request: string, answer: FleetAnswer][] {
  const groups = new Map<string, FleetAnswer[]>();
  for (const answer of answers) {
    const key = `${answer.process}: GET ${answer.path}, ${answer.by}`;
    groups.set(key, [...(groups.get(key) ?? []), answer]);
  }
  return [...groups.values()].map(([first, ...more]) => {
    const times = more.length === 0 ? '' : ` x ${more.length + 1}`;
    return [`${first!.process}: GET ${first!.path}${times}`, first!];
  });
}
