import { answerOf } from '../../stage/answer.js';
import type { Answer } from '../../stage/answer.js';
import type { Results } from '../engines/results.js';

export interface Found extends Answer {
  hits: number;
}

export async function find(base: string, path: string): Promise<Found> {
  const response = await fetch(base + path);
  const { hits = [] } = (await response.json()) as Partial<Results>;
  return { ...answerOf(response), hits: hits.length };
}
