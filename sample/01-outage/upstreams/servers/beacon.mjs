// A geocoder whose answers are always 200: whether it worked is said in the body.
import { serve } from './serve.mjs';

serve((url, mood) => {
  if (mood === 'limited') return { body: { status: 'OVER_QUERY_LIMIT', waitSeconds: 1 } };
  return { body: { status: 'OK', results: [{ line1: url.searchParams.get('q'), town: 'Turin', at: [45.07, 7.69] }] } };
});
