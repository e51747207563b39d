/** Methods that give streams, and what the compiler refuses there; see refused.types.ts. */
import { Degraded, Fallback } from 'nestjs-fallback';
import { Observable, of } from 'rxjs';

export class Streams {
  // @ts-expect-error: candidate other gives number where the method gives AsyncGenerator<string
  @Fallback('other')
  async *text(): AsyncGenerator<string> {
    yield '';
  }
  // @ts-expect-error: candidate numbers gives Observable<number> where the method gives Observable<string>
  @Fallback('numbers')
  rows(): Observable<string> {
    return of('');
  }
  // @ts-expect-error: a degraded answer must be told from a full one
  @Degraded({ substitute: ['a'] })
  words(): Observable<string> {
    return of('');
  }
  async other(): Promise<number> {
    return 1;
  }
  numbers(): Observable<number> {
    return of(1);
  }
}
