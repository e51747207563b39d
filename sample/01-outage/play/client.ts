import { answerOf } from '../../stage/answer.js';
import type { Answer } from '../../stage/answer.js';

export async function get(base: string, path: string): Promise<Answer> {
  const response = await fetch(base + path);
  const { age } = (await response.json()) as { age?: number };
  return { ...answerOf(response), ...(age !== undefined && { age }) };
}
