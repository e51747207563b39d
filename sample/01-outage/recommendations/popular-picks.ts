export interface Pick {
  title: string;
  because: string;
}

/** Better than nothing, and the same for everybody. */
export const POPULAR_PICKS: readonly Pick[] = [
  { title: 'Middlemarch', because: 'popular this week' },
  { title: 'Solaris', because: 'popular this week' },
];
