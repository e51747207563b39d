export { classifyAt, classifyFailure, statusOf } from './classify.js';
export { strictLlm } from './presets.js';
export { cameWithoutAnswer } from './without-answer.js';
