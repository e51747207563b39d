import { walk } from '../walk.js';
import { ignore } from '../thenable.js';
import type { StreamCall } from './stream-call.js';

/** Begins a stream call. It tells its consumer everything, also that nobody gave it anything. @internal */
export function run(call: StreamCall): void {
  walk(call).then(ignore, (error: unknown) => call.consumer.error(error));
}
