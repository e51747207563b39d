/** Several applications with one store of health do what one application would have done alone. */
import { afterEach, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constant, constantFrom, nat, oneof, record } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { denied, rateLimited } from '../../lib/index.js';
import { closeAll } from '../support/apps.js';
import { Fleet, hear } from '../support/fleet.js';
import type { Member } from '../support/fleet.js';

afterEach(closeAll);

type Step =
  | { readonly do: 'call'; readonly by: number; readonly gives: keyof typeof TROUBLES }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'isolate' | 'restore' | 'reset'; readonly by: number };

const TROUBLES = {
  ok: () => null,
  transient: () => new Error('down'),
  advice: () => rateLimited('slow down', { retryAfter: 20_000 }),
  denial: () => denied('no money'),
};

const PASSED_OVER = 'a:skipped(cooling) b:ok';

const by = nat({ max: 2 });
const anyStep: Arbitrary<Step> = oneof(
  {
    weight: 12,
    arbitrary: record({
      do: constant('call' as const),
      by,
      gives: constantFrom('ok', 'transient', 'transient', 'transient', 'advice', 'denial'),
    }),
  },
  {
    weight: 5,
    arbitrary: record({ do: constant('wait' as const), ms: constantFrom(1, 4_999, 5_000, 20_000, 70_000) }),
  },
  {
    weight: 2,
    arbitrary: record({ do: constantFrom('isolate' as const, 'restore' as const, 'reset' as const), by }),
  },
);

/** A call of the one that is alone, and of one of the fleet: the same candidates are tried. */
async function call(one: Member, other: Member): Promise<void> {
  const isDue = one.circuit().state === 'half-open';
  const { tried } = await one.ask();
  // Whoever asks for the probe goes on to the next candidate.
  const asked = isDue ? [await other.ask()] : [];
  await hear();
  const own = await other.ask();
  expect([...asked, own].map((each) => each.tried)).toEqual([...asked.map(() => PASSED_OVER), tried]);
}

function order({ health }: Member, action: 'isolate' | 'restore' | 'reset'): void {
  if (action === 'reset') health.reset();
  else health[action]('geocoder', 'a');
}

async function play(steps: readonly Step[]): Promise<void> {
  const alone = new Fleet({ isAlone: true });
  const fleet = new Fleet();
  const [one] = (await alone.start(1)) as [Member];
  const three = await fleet.start(3);
  for (const step of steps) {
    if (step.do === 'wait') await Promise.all([alone, fleet].map(({ clock }) => clock.advance(step.ms)));
    else if (step.do === 'call') {
      for (const { provider } of [alone, fleet]) provider.trouble = TROUBLES[step.gives]();
      await call(one, three[step.by]!);
    } else for (const member of [one, three[step.by]!]) order(member, step.do);
    await hear();
    const { state, coolingFor } = one.circuit();
    expect(three.map((member) => member.circuit())).toMatchObject(three.map(() => ({ state, coolingFor })));
  }
  expect(fleet.provider.calls).toBe(alone.provider.calls);
}

it('in 100 random programs', async () => {
  await assert(
    asyncProperty(array(anyStep, { minLength: 1, maxLength: 25 }), async (program) => {
      try {
        await play(program);
      } finally {
        await closeAll();
      }
    }),
    { numRuns: 100, seed: 7 },
  );
});
