/** What to try with an application that stays. */
export interface Tour {
  ask: readonly string[];
  upstreams: readonly string[];
  moods: readonly string[];
}

export function printTour(url: string, { ask, upstreams, moods }: Tour): void {
  const [first] = upstreams;
  const control = `curl -X POST ${url}/upstreams/${first}`;
  print(
    'Ask',
    ask.map((path) => `curl -iN '${url}${path}'`),
  );
  print('Break and mend', [`${control}/kill`, `${control}/start`, `${control}/mood/${moods.at(-1)}`]);
  print('Upstreams', [upstreams.join(', ')]);
  print('Moods', [moods.join(', ')]);
}

function print(title: string, lines: readonly string[]): void {
  for (const [place, line] of lines.entries()) console.log(`${(place === 0 ? title : '').padEnd(16)}${line}`);
}
