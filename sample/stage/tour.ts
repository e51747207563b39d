/** What to try with an application that stays. */
export interface Tour {
  /** paths, or addresses of other processes */
  ask: readonly string[];
  upstreams: readonly string[];
  moods: readonly string[];
  /** paths of more to break and mend */
  controls?: readonly string[];
}

export function printTour(url: string, { ask, upstreams, moods, controls = [] }: Tour): void {
  const [first] = upstreams;
  const control = `curl -X POST ${url}/upstreams/${first}`;
  print(
    'Ask',
    ask.map((path) => `curl -iN '${new URL(path, url).href}'`),
  );
  print('Break and mend', [
    `${control}/kill`,
    `${control}/start`,
    `${control}/mood/${moods.at(-1)}`,
    ...controls.map((path) => `curl -X POST ${new URL(path, url).href}`),
  ]);
  print('Upstreams', [upstreams.join(', ')]);
  print('Moods', [moods.join(', ')]);
}

function print(title: string, lines: readonly string[]): void {
  for (const [place, line] of lines.entries()) console.log(`${(place === 0 ? title : '').padEnd(16)}${line}`);
}
