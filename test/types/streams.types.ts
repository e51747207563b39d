/** Methods that give streams, and what the compiler accepts as their candidates. Checked, never run. */
import { Degraded, Fallback, FallbackChain, createFallbackChain } from 'nestjs-fallback';
import { Observable, of } from 'rxjs';

interface Token {
  text: string;
}
declare const tokens: AsyncIterable<Token>;
const scribe = createFallbackChain([async (): Promise<Token> => ({ text: '' })]);

/** Streams: candidates give what can be a stream of the same elements. */
export class Streaming {
  @FallbackChain(['archive', 'promised', 'listed', 'pushed', async () => [{ text: '' }], scribe])
  async *chat(prompt: string): AsyncGenerator<Token> {
    yield { text: prompt };
  }
  @FallbackChain(['archive', 'single', 'listed', 'pushed'], { deadline: '1s' })
  watch(prompt: string): Observable<Token> {
    return of({ text: prompt });
  }
  @Fallback('pushed', { stream: 'observable' })
  async promisedStream(prompt: string): Promise<Observable<Token>> {
    return of({ text: prompt });
  }
  @Degraded({ substitute: [], mark: 'receipt' })
  rows(): Observable<string> {
    return of('');
  }
  @Degraded({ substitute: [{ text: '' }] })
  async *flagged(): AsyncGenerator<Token & { degraded?: boolean }> {
    yield { text: '' };
  }
  archive(_prompt: string): AsyncIterable<Token> {
    return tokens;
  }
  async promised(): Promise<ReadableStream<Token>> {
    return new ReadableStream<Token>();
  }
  listed(): Token[] {
    return [];
  }
  pushed(_prompt: string): Observable<Token> {
    return of({ text: '' });
  }
  async single(): Promise<Token> {
    return { text: '' };
  }
}
