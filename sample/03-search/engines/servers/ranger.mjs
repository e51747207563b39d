// Half a cent per request.
import { keyed } from './keyed.mjs';
import { serve } from './serve.mjs';

serve({ ...keyed, shelves: ['everyday', 'regional', 'scholarly'], slow: 'archived' });
