/** Candidates that the compiler accepts: every form, and every way to take the parameters. Checked, never run. */
import { Attempt, AttemptSignal, Fallback, FallbackChain, from } from 'nestjs-fallback';
import type { AttemptContext, CandidateRef, ChainOptions, FallbackCandidate } from 'nestjs-fallback';

interface Point {
  lat: number;
  lon: number;
}
declare const point: Point;

class Google {
  readonly #answer = point;
  async geocode(_query: string): Promise<Point> {
    return this.#answer;
  }
  nearest(_query: string): Point {
    return point;
  }
}
abstract class Geocoder {
  protected constructor(readonly url: string) {}
  abstract geocode(query: string): Promise<Point>;
}
class Osm implements FallbackCandidate<[string], Point> {
  run(_ctx: AttemptContext, _query: string): Point {
    return point;
  }
  supports(query: string): boolean {
    return query !== '';
  }
}
class Anywhere implements FallbackCandidate {
  run(): Promise<Point> {
    return Promise.resolve(point);
  }
}

const SPARE = Symbol('spare');
const inline = (_query: string): Point => point;
declare const refs: readonly CandidateRef[];
declare const names: string[];
declare const anything: any;
declare const chainOptions: ChainOptions;

export class EveryForm {
  @Fallback('alt')
  async byName(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain(['alt', 'sync', SPARE, { method: 'alt', timeout: '2s', name: 'again' }, { method: SPARE, cost: 0 }])
  async ofThisClass(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain([
    from(Google, 'geocode', { timeout: 300 }),
    from(Google, 'nearest'),
    from(Osm),
    from(Anywhere, { name: 'anywhere' }),
    from(() => Google, 'geocode'),
    from(() => Osm, { cost: 1 }),
    from(Geocoder, 'geocode'),
    from(() => Geocoder, 'geocode'),
    from('GEOCODER', 'geocode'),
    from(SPARE, 'geocode', { degraded: true }),
    from('GEOCODER'),
    from(SPARE, { name: 'spare' }),
    { provider: Google, method: 'geocode' },
  ])
  async ofProviders(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain([
    inline,
    (_query: string) => point,
    async (_query: string): Promise<Point> => point,
    () => point,
    function spare(this: EveryForm, query: string) {
      return this.sync(query);
    },
    (query) => inline(query),
    { name: 'run', run: (_ctx: AttemptContext, _query: string) => point, timeout: 100 },
    { name: 'async-run', run: async (_ctx, query: string): Promise<Point> => inline(query) },
    {
      name: 'on-host',
      run(this: EveryForm, _ctx: AttemptContext, query: string) {
        return this.sync(query);
      },
    },
    { name: 'without-parameters', run: () => point },
  ])
  async ofFunctions(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain(['alt'], {
    order: (candidates, [query]) => (query === '' ? candidates : candidates.filter((name) => name !== query)),
    budget: { limit: 5, per: '1h' },
    onBudget: 'stop',
  })
  async ofOrder(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain(['alt'], { order: 'cost', budget: { limit: 0.5, per: 60_000 } })
  async ofCost(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain([], { timeout: '1s', primary: { cost: 0 } })
  async alone(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain(refs, chainOptions)
  @FallbackChain(names.map((method) => ({ method })))
  @FallbackChain(names)
  async knownAtStartUp(_query: string): Promise<Point> {
    return point;
  }
  @FallbackChain([anything, 'loose', from(anything, 'geocode'), from(anything)])
  async unchecked(_query: string): Promise<Point> {
    return point;
  }
  @Fallback('alt')
  private async hidden(_query: string): Promise<Point> {
    return point;
  }
  @Fallback('alt')
  protected async shielded(query: string): Promise<Point> {
    return this.hidden(query);
  }
  @Fallback('inferredAlt')
  async inferred(_query: string) {
    return { ...point, from: 'primary' };
  }
  async inferredAlt(_query: string) {
    return { ...point, from: 'alt' };
  }
  async alt(_query: string): Promise<Point> {
    return point;
  }
  sync(_query: string): Point {
    return point;
  }
  [SPARE](_query: string): Point | Promise<Point> {
    return point;
  }
  loose: any;
}

export class EveryParameter {
  @FallbackChain(['none', 'fewer', 'same', 'signalLast', 'contextLast', 'signalRequired', 'both', 'bothRequired'])
  async plain(_query: string, _limit?: number): Promise<Point> {
    return point;
  }
  @FallbackChain(['none', 'fewer', 'signalSecond', 'contextSecond', 'signalOrNothing', 'signalThenLimit'])
  async withSignal(_query: string, @AttemptSignal() _signal?: AbortSignal, _limit?: number): Promise<Point> {
    return point;
  }
  @FallbackChain(['signalFirst', 'contextFirst', 'none'])
  async signalFirst(@AttemptSignal() _signal: AbortSignal, _query: string): Promise<Point> {
    return point;
  }
  @FallbackChain(['rest', 'restAfterSignal', 'none', (..._queries: string[]) => point])
  async rest(..._queries: string[]): Promise<Point> {
    return point;
  }
  @FallbackChain(['generic', 'overloaded', 'wider', 'unknownParameter'])
  async narrow(_query: string): Promise<string> {
    return '';
  }
  @FallbackChain(['generic', 'unknownAlt'])
  async generic<T>(value: T): Promise<T> {
    return value;
  }
  none(): Point {
    return point;
  }
  fewer(_query: string): Point {
    return point;
  }
  same(_query: string, _limit?: number): Point {
    return point;
  }
  signalLast(_query: string, _limit?: number, @AttemptSignal() _signal?: AbortSignal): Point {
    return point;
  }
  contextLast(_query: string, _limit: number | undefined, @Attempt() _attempt: AttemptContext): Point {
    return point;
  }
  signalRequired(_query: string, @AttemptSignal() _signal: AbortSignal): Point {
    return point;
  }
  both(_query: string, @Attempt() _attempt?: AttemptContext, @AttemptSignal() _signal?: AbortSignal): Point {
    return point;
  }
  bothRequired(_query: string, @Attempt() _attempt: AttemptContext, @AttemptSignal() _signal: AbortSignal): Point {
    return point;
  }
  signalSecond(_query: string, @AttemptSignal() _signal: AbortSignal): Point {
    return point;
  }
  contextSecond(_query: string, @Attempt() _attempt: AttemptContext): Point {
    return point;
  }
  signalOrNothing(_query: string, @AttemptSignal() _signal: AbortSignal | null | undefined): Point {
    return point;
  }
  signalThenLimit(_query: string, @AttemptSignal() _signal: AbortSignal, _limit?: number): Point {
    return point;
  }
  contextFirst(@Attempt() _attempt: AttemptContext, _query: string): Point {
    return point;
  }
  restAfterSignal(@AttemptSignal() _signal?: AbortSignal, ..._queries: string[]): Point {
    return point;
  }
  overloaded(query: string): Promise<string>;
  overloaded(query: number): Promise<number>;
  async overloaded(query: string | number): Promise<string | number> {
    return query;
  }
  wider(_query: string | number): string {
    return '';
  }
  unknownParameter(_query: unknown): string {
    return '';
  }
  unknownAlt(value: unknown): any {
    return value;
  }
}
