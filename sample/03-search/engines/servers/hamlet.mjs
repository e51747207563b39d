// Free, knows its region, and says 200 whatever happens.
import { serve } from './serve.mjs';

const REFUSALS = {
  limited: { status: 'OVER_QUERY_LIMIT', wait: 2 },
  broken: '<h1>We will be right back</h1>',
  locked: { status: 'REQUEST_DENIED' },
  invalid: { status: 'INVALID_REQUEST' },
};

serve({
  shelves: ['everyday', 'regional'],
  found: (hits) => ({
    body:
      hits.length === 0 ? { status: 'ZERO_RESULTS' } : { status: 'OK', items: hits.map((hit) => [hit.title, hit.url]) },
  }),
  refused: (why) => ({ body: REFUSALS[why] }),
});
