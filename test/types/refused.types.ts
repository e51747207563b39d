/**
 * What the compiler refuses, with the words that it must say. Checked by `npm run typecheck` as errors to be expected;
 * decorators.spec.ts compares the words.
 */
import { AttemptSignal, Fallback, FallbackChain, from } from 'nestjs-fallback';
import type { AttemptContext } from 'nestjs-fallback';

interface Point {
  lat: number;
  lon: number;
}
declare const point: Point;
const NOPE = Symbol('nope');

class Google {
  readonly url = '';
  protected readonly key = '';
  async geocode(_query: string): Promise<Point> {
    return point;
  }
  async reverse(_lat: number, _lon: number): Promise<string> {
    return this.key;
  }
}
class Osm {
  run(_ctx: AttemptContext, _query: number): Point {
    return point;
  }
}
class Text {
  run(_ctx: AttemptContext, query: string): string {
    return query;
  }
}
abstract class Geocoder {
  abstract geocode(query: string): Promise<Point>;
}

export class Names {
  // @ts-expect-error: candidate nope is not a public method of this class
  @Fallback('nope')
  async unknown(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate unique symbol is not a public method of this class
  @Fallback(NOPE)
  async unknownSymbol(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate nope is not a public method of this class
  @FallbackChain(['alt', { method: 'nope', timeout: '2s' }])
  async unknownObject(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate guarded is not a public method of this class
  @Fallback('guarded')
  async protectedName(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate hidden is not a public method of this class
  @Fallback('hidden')
  async privateName(_query: string): Promise<Point> {
    return this.hidden();
  }
  // @ts-expect-error: candidate #hard is not a public method of this class
  @Fallback('#hard')
  async hardPrivateName(_query: string): Promise<Point> {
    return this.#hard();
  }
  // @ts-expect-error: candidate count is not a method of this class
  @Fallback('count')
  async property(_query: string): Promise<Point> {
    return point;
  }
  count = 0;
  protected guarded(): Point {
    return point;
  }
  private hidden(): Point {
    return point;
  }
  #hard(): Point {
    return point;
  }
  alt(): Point {
    return point;
  }
}

export class Parameters {
  // @ts-expect-error: candidate takesNumber does not take the parameters of the method
  @Fallback('takesNumber')
  async wrongType(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate takesTwo does not take the parameters of the method
  @Fallback('takesTwo')
  async tooMany(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate takesString does not take the parameters of the method
  @Fallback('takesString')
  async requiredForOptional(_query?: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate takesSignalAndNumber does not take the parameters of the method
  @Fallback('takesSignalAndNumber')
  async besideSignal(@AttemptSignal() _signal: AbortSignal, _query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate takesString does not take the parameters of the method
  @Fallback('takesString')
  async generic<T>(query: T): Promise<T> {
    return query;
  }
  // @ts-expect-error: candidate (function) does not take the parameters of the method
  @Fallback((limit: number) => ({ ...point, lat: limit }))
  async inline(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate named does not take the parameters of the method
  @Fallback({ name: 'named', run: (_ctx, limit: number) => ({ ...point, lat: limit }) })
  async named(_query: string): Promise<Point> {
    return point;
  }
  takesNumber(_limit: number): Point {
    return point;
  }
  takesTwo(_query: string, _limit: number): Point {
    return point;
  }
  takesString(_query: string): any {
    return point;
  }
  takesSignalAndNumber(_signal: AbortSignal, _limit: number): Point {
    return point;
  }
}

export class Results {
  // @ts-expect-error: candidate text gives string where the method gives Point
  @Fallback('text')
  async wrong(): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate perhaps gives Point | undefined where the method gives Point
  @Fallback('perhaps')
  async lessSure(): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate (function) gives number where the method gives Point
  @Fallback(() => 5)
  async inline(): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate named gives number where the method gives Point
  @Fallback({ name: 'named', run: async () => 5 })
  async named(): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate text gives string where the method gives { lat: number; }
  @FallbackChain(['text'])
  async inferred() {
    return { lat: 1 };
  }
  // @ts-expect-error: candidate text gives string where the method gives void
  @FallbackChain(['text'])
  async nothing(): Promise<void> {}
  async text(): Promise<string> {
    return '';
  }
  perhaps(): Point | undefined {
    return undefined;
  }
}

export class Providers {
  // @ts-expect-error: candidate typeof Google is a class: write from(Class, method)
  @Fallback(Google)
  async bareClass(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate typeof Geocoder is a class: write from(Class, method)
  @FallbackChain([Geocoder])
  async bareAbstractClass(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate reverse does not take the parameters of the method
  @Fallback(from(Google, 'reverse'))
  async parameters(_query: string): Promise<string> {
    return '';
  }
  // @ts-expect-error: candidate geocode gives Point where the method gives string
  @Fallback(from(() => Google, 'geocode'))
  async result(_query: string): Promise<string> {
    return '';
  }
  // @ts-expect-error: candidate url is not a method of the provider
  @Fallback(from(Google, 'url'))
  async property(_query: string): Promise<string> {
    return '';
  }
  // @ts-expect-error: candidate nope is not a public method of the provider
  @Fallback({ provider: Google, method: 'nope' })
  async literal(_query: string): Promise<string> {
    return '';
  }
  // @ts-expect-error: candidate from(Provider) does not take the parameters of the method
  @Fallback(from(Osm))
  async runParameters(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate from(Provider) gives string where the method gives Point
  @Fallback(from(Text))
  async runResult(_query: string): Promise<Point> {
    return point;
  }
  // @ts-expect-error: candidate Google has no run(ctx, ...args)
  @Fallback({ provider: Google })
  async noRun(_query: string): Promise<Point> {
    return point;
  }
}

/** `from` itself refuses what the provider does not have. */
export const unknownMethods = [
  // @ts-expect-error: Argument of type nope is not assignable to parameter of type keyof Google
  from(Google, 'nope'),
  // @ts-expect-error: Argument of type nope is not assignable to parameter of type keyof Google
  from(() => Google, 'nope'),
  // @ts-expect-error: Argument of type nope is not assignable to parameter of type geocode
  from(Geocoder, 'nope'),
  // @ts-expect-error: Argument of type key is not assignable to parameter of type keyof Google
  from(Google, 'key'),
  // @ts-expect-error: Google has no run(ctx, ...args): name a method too
  from(Google),
  // @ts-expect-error: Google has no run(ctx, ...args): name a method too
  from(() => Google),
];
