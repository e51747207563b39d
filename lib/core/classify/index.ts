export { classifyFailure, statusOf } from './classify.js';
export { strictLlm } from './presets.js';
