/** No time limit, no listener, health on. */
import { bare, clockedLadder } from '../baselines.mjs';
import { compare } from '../measure.mjs';
import { row } from '../rows.mjs';
import { decorated, engine, good } from '../subjects.mjs';

export async function measure({ rounds }) {
  const { ratio, ns } = await compare(
    {
      bare: bare(good()),
      ladder: clockedLadder(good(), good()),
      engine: engine([good(), good()]),
      decorated: await decorated([good(), good()]),
    },
    { rounds },
  );
  return [
    row(1, 'no timeout: bare await', `${Math.round(ns('bare'))} ns`, 'info'),
    row(1, 'no timeout: engine / try-catch with a clock read', ratio('engine', 'ladder'), 'ladder', 1.9),
    row(1, 'no timeout: decorated / try-catch with a clock read', ratio('decorated', 'ladder'), 'ladder', 2.6),
  ];
}
