// A small geocoder that knows cities and no streets. Its answers are text.
import { serve } from './serve.mjs';

serve(() => ({ body: 'Turin;45.1;7.7' }));
