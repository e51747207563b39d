/** Methods that the compiler refuses to decorate, with the words that it must say; see refused.types.ts. */
import { Degraded, Fallback, FallbackChain, served } from 'nestjs-fallback';
import type { Served } from 'nestjs-fallback';

interface Point {
  lat: number;
  lon: number;
}
declare const point: Point;

export class Methods {
  // @ts-expect-error: only methods that return promises, Observables or async iterables can have fallbacks; this one returns Point
  @Fallback('alt')
  sync(): Point {
    return point;
  }
  // @ts-expect-error: only methods that return promises, Observables or async iterables can have fallbacks; this one returns Promise<Point> | undefined
  @FallbackChain([])
  sometimes(): Promise<Point> | undefined {
    return undefined;
  }
  // @ts-expect-error: only methods that return promises, Observables or async iterables can have fallbacks; this one returns Point & { degraded?: boolean
  @Degraded({ substitute: point })
  syncDegraded(): Point & { degraded?: boolean } {
    return point;
  }
  // @ts-expect-error: only methods that return promises, Observables or async iterables can have fallbacks; this one returns string
  @Degraded({ substitute: '', mark: 'receipt' })
  syncText(): string {
    return '';
  }
  // @ts-expect-error: static methods cannot have fallbacks
  @Fallback('alt')
  static async ofClass(): Promise<Point> {
    return point;
  }
  // @ts-expect-error: static methods cannot have fallbacks
  @Degraded({ substitute: '', mark: 'receipt' })
  static async degradedOfClass(): Promise<string> {
    return '';
  }
  // @ts-expect-error: Type number is not assignable to type AnyMethod
  @Fallback('alt')
  get accessor(): number {
    return 1;
  }
  // @ts-expect-error: the decorator expects 3
  @Fallback('alt')
  property = async (): Promise<Point> => point;
  static alt(): Point {
    return point;
  }
  alt(): Point {
    return point;
  }
}

export class Marks {
  // @ts-expect-error: a degraded answer must be told from a full one: return Served<T> with mark: 'served'
  @Degraded({ substitute: point })
  async bare(): Promise<Point> {
    return point;
  }
  // @ts-expect-error: add degraded?: boolean, give a mark function, or mark: 'receipt'; this method gives string
  @Degraded({ substitute: '' })
  async text(): Promise<string> {
    return '';
  }
  // @ts-expect-error: a mark function, or mark: 'receipt'; this method gives Point[]
  @Degraded({ substitute: [], mark: 'property' })
  async list(): Promise<Point[]> {
    return [];
  }
  // @ts-expect-error: a degraded answer must be told from a full one
  @Degraded({ substitute: null })
  async perhaps(): Promise<Served<Point> | null> {
    return null;
  }
  // @ts-expect-error: a degraded answer must be told from a full one
  @Degraded({ substitute: null })
  async neverDegraded(): Promise<Point & { degraded: false }> {
    return { ...point, degraded: false };
  }
  // @ts-expect-error: mark: 'served' needs a method that returns Promise<Served<T>>; this one gives Point
  @Degraded({ substitute: point, mark: 'served' })
  async unenveloped(): Promise<Point> {
    return point;
  }
  // @ts-expect-error: mark: 'served' needs a method that returns Promise<Served<T>>; this one gives Served<Point> | null
  @Degraded({ substitute: point, mark: 'served' })
  async sometimesEnveloped(): Promise<Served<Point> | null> {
    return served(point);
  }
  // @ts-expect-error: mark: 'served' needs a method that returns Promise<Served<T>>; this one gives Point | undefined
  @Degraded({ skip: true, mark: 'served' })
  async unenvelopedStep(): Promise<Point | undefined> {
    return point;
  }
  // @ts-expect-error: the mark function must take and give what the method gives: Point[]
  @Degraded({ substitute: [], mark: (text: string) => text })
  async wrongParameter(): Promise<Point[]> {
    return [];
  }
  // @ts-expect-error: the mark function must take and give what the method gives: Point[]
  @Degraded({ substitute: [], mark: (points: Point[]) => points.length })
  async wrongResult(): Promise<Point[]> {
    return [];
  }
  // @ts-expect-error: a degraded answer must be told from a full one
  @Degraded({ skip: false })
  async noStep(): Promise<Point | undefined> {
    return point;
  }
}

export const unknownOptions = [
  // @ts-expect-error: substitue does not exist in type
  Degraded({ substitue: [] }),
  // @ts-expect-error: Type page is not assignable to type
  Degraded({ substitute: [], mark: 'page' }),
  // @ts-expect-error: Type soon is not assignable to type
  Fallback('alt', { timeout: 'soon' }),
  // @ts-expect-error: timout does not exist in type
  FallbackChain(['alt'], { timout: '2s' }),
];
