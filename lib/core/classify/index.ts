export { classifyAt, classifyFailure, statusOf } from './classify.js';
export { newLastText } from './last-text.js';
export type { LastText } from './last-text.js';
export { strictLlm } from './presets.js';
export { cameWithoutAnswer } from './without-answer.js';
