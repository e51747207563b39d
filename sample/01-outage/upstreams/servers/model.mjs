// The recommendation model: personal picks.
import { serve } from './serve.mjs';

const TITLES = ['Dune', 'Emma', 'Ubik', 'Momo'];

serve((url) => {
  const user = url.searchParams.get('user');
  return { body: TITLES.slice(0, 3).map((title) => ({ title, because: `${user} liked something similar` })) };
});
