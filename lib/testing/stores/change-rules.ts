/** What listeners hear. */
import type { CircuitBench } from './circuit-bench.js';
import { LeftOut, NotThere } from './rules.js';
import type { Rule } from './rules.js';
import { HAPPENS, tellStory } from './story.js';
import type { Story } from './story.js';

/** @internal */
export type ChangeRule =
  'change-untold' | 'change-told-twice' | 'change-invented' | 'change-differs' | 'told-after-leaving';

const stories = new WeakMap<CircuitBench, Promise<Story | null>>();

/** @internal */
export const changeRules: Record<ChangeRule, Rule<CircuitBench>> = {
  'change-untold': {
    advice:
      'tell every listener of every process, with the key as it was given: each change of state, the first failure after a success and the success after it with `failures`',
    async play(bench) {
      const story = await storyOf(bench);
      if (story === null) return 'no change is heard of';
      for (const [what, times] of HAPPENS) {
        if (story.heard.some((heard) => (heard.get(what) ?? 0) < times)) return `a change (${what}) is not told`;
      }
      return undefined;
    },
  },
  'change-told-twice': {
    advice: 'tell each listener of each change once',
    async play(bench) {
      const { heard } = await heardBy(bench);
      for (const [what, times] of HAPPENS) {
        if (heard.some((counts) => (counts.get(what) ?? 0) > times)) return `a change (${what}) is told more than once`;
      }
      return undefined;
    },
  },
  'change-invented': {
    advice: 'tell of nothing else: not of a probe, and not of a failure that is not the first',
    async play(bench) {
      const { heard } = await heardBy(bench);
      const invented = heard.flatMap((counts) => [...counts.keys()]).find((what) => !HAPPENS.has(what));
      return invented === undefined ? undefined : `what is no change (${invented}) is told as one`;
    },
  },
  'change-differs': {
    advice: 'tell the reading that `record` answers, with the key',
    async play(bench) {
      const { answered, told } = (await heardBy(bench)).opening;
      if (told === undefined) throw new NotThere('an opening is not told');
      if (told.epoch !== answered.epoch)
        return `an opening has the epoch ${answered.epoch}, and ${told.epoch} as it is told`;
      return Math.abs(told.openUntil - answered.openUntil) <= 1
        ? undefined
        : 'an opening is told with another `openUntil`';
    },
  },
  'told-after-leaving': {
    advice: 'let what `subscribe` gives end that subscription at once, and no other',
    async play(bench) {
      return (await heardBy(bench)).isHaunted ? 'a listener hears of changes after it has left' : undefined;
    },
  },
};

async function heardBy(bench: CircuitBench): Promise<Story> {
  const story = await storyOf(bench);
  if (story === null) throw new NotThere('no change is heard of');
  return story;
}

function storyOf(bench: CircuitBench): Promise<Story | null> {
  if (bench.handles.some((handle) => handle.subscribe === undefined)) throw new LeftOut();
  const known = stories.get(bench);
  if (known !== undefined) return known;
  const story = tellStory(bench);
  stories.set(bench, story);
  return story;
}
