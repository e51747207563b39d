/** The first candidate's circuit is open: the way to the second must cost no more than the healthy way. */
import { compare } from '../measure.mjs';
import { row } from '../rows.mjs';
import { ERROR, engine, fresh, many } from '../subjects.mjs';

/** A call of a chain in which all candidates but the last are open. */
export async function mostlyOpen(count) {
  let isDown = true;
  const fallen = () => {
    const answer = fresh();
    return async (...args) => {
      if (isDown) throw ERROR;
      return answer(...args);
    };
  };
  const options = { timeout: '1s', breaker: { threshold: 1, cooldown: '1h' } };
  const call = engine([...many(count - 1, fallen), fresh()], options);
  await call();
  isDown = false;
  return call;
}

export const healthy = () => engine([fresh(), fresh()], { timeout: '1s' });

export async function measure({ rounds }) {
  const { ratio } = await compare(
    { healthy: healthy(), open: await mostlyOpen(2), hundred: await mostlyOpen(100) },
    { rounds },
  );
  return [
    row(7, 'first open / healthy: engine', ratio('open', 'healthy'), 'itself', 1.25),
    row(7, '99 of 100 open / 1 of 2 open: engine', ratio('hundred', 'open'), 'itself', 1.3),
  ];
}
