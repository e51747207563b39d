import { afterEach, describe, it } from '@jest/globals';
import { closeAll } from '../../support/apps.js';
import { BUILT_BY_NEST } from './everywhere/built-by-nest.js';
import { ORDERS } from './everywhere/host.js';
import { BARE, IN_TESTS, MADE_ELSEWHERE } from './everywhere/made-elsewhere.js';
import { MESSAGES } from './everywhere/messages.js';
import { BY_HAND, OVER_HTTP } from './everywhere/over-http.js';
import { AT_START_UP, BEFORE_OURS } from './everywhere/start-up.js';
import { expectBare, expectProtected } from './everywhere/surface.js';

const SURFACES = {
  'built by Nest': BUILT_BY_NEST,
  'made elsewhere': MADE_ELSEWHERE,
  'in tests of applications': IN_TESTS,
  'while the application starts': AT_START_UP,
  'over HTTP': OVER_HTTP,
  'without a request': MESSAGES,
};

/**
 * Wherever a decorated method lives: each candidate answers in its turn, on the right instance, private fields and
 * all; everything is counted once, in one chain; an instance built by hand runs its bare method.
 */
describe.each(ORDERS)('with our decorators %s the others', (order) => {
  afterEach(closeAll);

  describe.each(Object.entries(SURFACES))('%s', (_group, surfaces) => {
    it.each(surfaces)('$name', (surface) => expectProtected(surface, order));
  });

  describe('the bare method', () => {
    it.each([...BARE, ...BEFORE_OURS, ...BY_HAND])('$name', (surface) => expectBare(surface, order));
  });
});
