import type { Answer } from './answer.js';
import { checks, differences } from './step.js';
import type { Check, Expected, Step } from './step.js';
import { printHead, printStep, printWrong } from './table.js';
import type { World } from './world.js';

/** How one application is asked, and what its answers hold besides. */
export interface Script<Upstreams, Wanted extends Expected, Got extends Answer> {
  steps: readonly Step<Upstreams, Wanted>[];
  ask: (path: string) => Promise<Got>;
  alsoChecks?: (expected: Wanted, answer: Got) => Check[];
  alsoShows?: (answer: Got) => string[];
}

export interface Played<Got extends Answer> {
  request: string;
  answers: Got[];
}

/** Plays step after step and prints what came of it; gives all answers and how many things were wrong. */
export async function playSteps<Upstreams, Wanted extends Expected, Got extends Answer>(
  { steps, ask, alsoChecks = () => [], alsoShows = () => [] }: Script<Upstreams, Wanted, Got>,
  world: World<Upstreams>,
): Promise<{ played: Played<Got>[]; wrong: number }> {
  const played: Played<Got>[] = [];
  let wrong = 0;

  printHead();
  for (const [place, step] of steps.entries()) {
    await step.before?.(world);
    const sent = Array.from({ length: step.times ?? 1 }, () => ask(step.request));
    const [answers] = await Promise.all([Promise.all(sent), step.during?.(world)]);

    const candidates = world.candidates();
    printStep(place + 1, step, answers[0]!, { candidates, lines: alsoShows(answers[0]!) });
    const faults = answers.flatMap((answer) =>
      differences([...checks(step.expect, answer, candidates), ...alsoChecks(step.expect, answer)]),
    );
    for (const fault of new Set(faults)) printWrong(fault);
    wrong += new Set(faults).size;
    played.push({ request: step.request, answers });
  }
  return { played, wrong };
}
