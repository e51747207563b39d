export { TestClock, settle } from '../../lib/testing/test-clock.js';
