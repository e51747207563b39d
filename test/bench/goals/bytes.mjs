/** Bytes per call of goals 1, 2 and 7. Has a process of its own, with a young generation that is never collected. */
import { hand } from '../baselines.mjs';
import { bytesPerCall } from '../measure.mjs';
import { row } from '../rows.mjs';
import { decorated, engine, good } from '../subjects.mjs';
import { healthy, mostlyOpen } from './goal-7.mjs';

const two = () => [good(), good()];
const TIMED = { timeout: '1s' };

export async function measure({ goals }) {
  const rows = [];
  const wants = (goal) => goals.includes(goal);
  const bytes = async (call) => bytesPerCall(await call);
  const tell = (goal, what, value, limit) => rows.push(row(goal, `a call, ${what}`, value, 'bytes', limit));
  if (wants(1)) tell(1, 'no timeout: engine', await bytes(engine(two())), 800);
  if (wants(2)) {
    tell(2, 'timeout: hand', await bytes(hand(two())), null);
    tell(2, 'timeout: engine', await bytes(engine(two(), TIMED)), 1_300);
    tell(2, 'timeout: decorated', await bytes(decorated(two(), TIMED)), 1_700);
  }
  if (wants(7)) {
    const open = await bytes(mostlyOpen(2));
    const beside = await bytes(healthy());
    tell(7, 'healthy: engine', beside, null);
    tell(7, 'first open (goal: 1.25 healthy): engine', open, 1.25 * beside);
    tell(7, '99 of 100 open (goal: as 1 of 2): engine', await bytes(mostlyOpen(100)), open);
  }
  return rows;
}
