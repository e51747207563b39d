// Free, knows what everybody asks, and speaks HTTP properly.
import { serve } from './serve.mjs';

const REFUSALS = {
  limited: { status: 429, headers: { 'retry-after': '2' } },
  broken: { status: 503 },
  locked: { status: 401 },
  invalid: { status: 400 },
};

serve({
  shelves: ['everyday'],
  found: (hits) => ({ body: { hits } }),
  refused: (why) => ({ ...REFUSALS[why], body: { message: why } }),
});
