import { word } from '../models/token.js';
import type { Token } from '../models/token.js';

/** Better than nothing, and the same for everybody. */
export const COMMON_QUESTIONS: readonly Token[] = [word('What is it? '), word('What does it cost?')];
