/** Answers that the compiler accepts from candidates, and methods whose answers carry a mark. Checked, never run. */
import { AttemptSignal, Degraded, Fallback, FallbackChain, deferred, served } from 'nestjs-fallback';
import type { DegradedOptions, Receipt, Served } from 'nestjs-fallback';

interface Point {
  lat: number;
  lon: number;
}
interface Labelled extends Point {
  label: string;
}
type Markable = Point & { degraded?: boolean };
declare const point: Point;
declare const labelled: Labelled;
declare const answer: any;
declare const options: DegradedOptions;

export class Answers {
  @FallbackChain(['labelled', 'loose', 'never', 'thenable'])
  async point(): Promise<Point> {
    return point;
  }
  @FallbackChain(['point', 'labelled', 'envelope', 'either'])
  async envelope(): Promise<Served<Point>> {
    return served(point);
  }
  @FallbackChain(['nothing', 'nothingYet', () => undefined])
  async done(): Promise<void> {}
  @FallbackChain(['nothing', 'point', 'either', 'perhaps', () => null])
  async union(): Promise<Served<Point> | null | undefined> {
    return null;
  }
  @FallbackChain(['point', 'nothing', () => 5])
  async anything(): Promise<any> {
    return point;
  }
  @FallbackChain(['point', 'nothing'])
  loose(): any {
    return point;
  }
  @Fallback('point')
  thenable(): PromiseLike<Point> {
    return Promise.resolve(point);
  }
  labelled(): Labelled {
    return labelled;
  }
  never(): never {
    throw new Error('never');
  }
  async either(): Promise<Point | Served<Point>> {
    return point;
  }
  async perhaps(): Promise<Point | undefined> {
    return undefined;
  }
  nothing(): undefined {}
  async nothingYet(): Promise<void> {}
}

export class Repository<T extends object> {
  @FallbackChain(['later', 'now', 'served', 'withSignal', 'anything'])
  async find(_id: string, @AttemptSignal() _signal?: AbortSignal): Promise<Served<T>> {
    return this.served();
  }
  @FallbackChain(['find', 'withSignal'])
  @Degraded({ substitute: null, mark: 'served' })
  async marked(_id: string): Promise<Served<T>> {
    return this.served();
  }
  @FallbackChain(['later', 'now', () => answer])
  @Degraded({ substitute: null, mark: 'receipt' })
  async bare(_id: string, _entity?: T): Promise<T> {
    return this.now();
  }
  async later(_id: string): Promise<T> {
    return this.now();
  }
  now(): T {
    return answer;
  }
  async served(): Promise<Served<T>> {
    return served(this.now());
  }
  async withSignal(_id: string, @AttemptSignal() _signal: AbortSignal): Promise<T> {
    return this.now();
  }
  anything(): any {}
}

export class Marks {
  @Degraded({ substitute: served(point) })
  async envelope(): Promise<Served<Point>> {
    return served(point);
  }
  @Degraded({ lastKnownGood: { maxAge: '15m', key: (id: string) => [id] }, substitute: point, mark: 'served' })
  async servedPoint(_id: string): Promise<Served<Point>> {
    return served(point);
  }
  @Degraded({ substitute: () => deferred(), on: ['transient'], enabled: () => true, mark: 'property' })
  async property(): Promise<Markable> {
    return point;
  }
  @Degraded({ substitute: { ...point } })
  async required(): Promise<Point & { degraded: boolean }> {
    return { ...point, degraded: false };
  }
  @Degraded({ substitute: {} })
  async record(): Promise<Record<string, unknown>> {
    return {};
  }
  @Degraded({ substitute: answer })
  async anything(): Promise<any> {
    return point;
  }
  @Degraded({ substitute: 'unknown', mark: 'receipt' })
  async text(): Promise<string> {
    return '';
  }
  @Degraded({ substitute: [], mark: (points: Point[]) => [...points] })
  async list(): Promise<Point[]> {
    return [];
  }
  @Degraded({ substitute: [], mark: (points: readonly Point[], receipt: Receipt) => points.slice(receipt.cost) })
  async widerMark(): Promise<Point[]> {
    return [];
  }
  @Degraded({ substitute: [], mark: (value, receipt) => (receipt.degraded ? value : value) })
  async looseMark(): Promise<Point[]> {
    return [];
  }
  @Degraded({ skip: true })
  async step(): Promise<Point | undefined> {
    return point;
  }
  @Degraded({ skip: true, mark: 'receipt' })
  async quietStep(): Promise<void> {}
  @Degraded({ skip: true, mark: 'served' })
  async servedStep(): Promise<Served<Point | undefined>> {
    return served(point);
  }
  @Degraded<Point[]>({ substitute: [], mark: 'receipt' })
  async explicit(): Promise<Point[]> {
    return [];
  }
  @Degraded(options)
  async knownAtStartUp(): Promise<string> {
    return '';
  }
  @Degraded({ substitute: point, mark: 'receipt' })
  private async hidden(): Promise<Point> {
    return point;
  }
  uses(): Promise<Point> {
    return this.hidden();
  }
}

export class Orders {
  @FallbackChain(['spare'], { name: 'above' })
  @Degraded({ substitute: [], mark: 'served' })
  async above(): Promise<Served<Point[]>> {
    return served([]);
  }
  @Degraded({ substitute: [], mark: 'served' })
  @Fallback('spare', { name: 'below' })
  async below(): Promise<Served<Point[]>> {
    return served([]);
  }
  @Degraded({ substitute: null, mark: 'receipt' })
  @FallbackChain([() => null])
  async inferred() {
    return Math.random() > 1 ? point : null;
  }
  spare(): Point[] {
    return [];
  }
}
