// A geocoder that speaks HTTP properly: 404 for what it does not know, 429 with Retry-After when its quota is used up.
import { serve } from './serve.mjs';

serve((url, mood) => {
  const address = url.searchParams.get('address');
  if (mood === 'limited') return { status: 429, headers: { 'retry-after': '1' }, body: { message: 'slow down' } };
  if (address === 'nowhere') return { status: 404, body: { message: 'no such address' } };
  return { body: { street: address, city: 'Turin', lat: 45.07, lon: 7.69 } };
});
