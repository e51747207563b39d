import type { Answer } from '../../stage/answer.js';
import type { AppProcess } from '../../stage/app-process.js';
import { until } from '../../stage/until.js';
import type { FleetService } from '../fleet/fleet.service.js';

/** What a client of one process saw. */
export interface FleetAnswer extends Answer {
  process: string;
  path: string;
}

/** Asks these processes at the same time, each so many times, one request after the other. */
export async function ask(processes: readonly AppProcess[], path: string, times = 1): Promise<FleetAnswer[]> {
  const answers = processes.map(async (process) => {
    const own: FleetAnswer[] = [];
    while (own.length < times) own.push(await askOne(process, path));
    return own;
  });
  return (await Promise.all(answers)).flat();
}

/**
 * When the circuits are due: asks all processes, again and again, until a request reaches the bourse, which lets it wait.
 * Then asks all of them five times more, and has these answered before the bourse is.
 */
export async function askDuringProbe(fleet: FleetService, path: string): Promise<FleetAnswer[]> {
  const { processes, bourse, exchanges } = fleet;
  await fleet.untilAll('half-open');

  const { asked } = bourse;
  const answers: Promise<FleetAnswer>[] = [];
  let waiting = 0;
  const askAll = (): void => {
    for (const process of processes) {
      waiting++;
      answers.push(askOne(process, path).finally(() => waiting--));
    }
  };
  await until('the bourse is probed', () => {
    if (waiting === 0) askAll();
    return bourse.asked > asked;
  });
  for (let round = 0; round < 5; round++) askAll();
  await until('all but the probe are answered', () => waiting <= 1);
  await exchanges.tell('bourse', 'well');
  return Promise.all(answers);
}

async function askOne(process: AppProcess, path: string): Promise<FleetAnswer> {
  return { process: process.name, path, ...(await process.get(path)) };
}
