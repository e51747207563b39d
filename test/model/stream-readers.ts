/** Who reads a stream of the engine's: as fast as it comes, by one of its two faces. */
import { Subject, takeUntil } from 'rxjs';
import type { Observable } from 'rxjs';

/** What a reader is told. */
export interface Told {
  element(element: unknown): void;
  end(how: 'complete' | 'left' | { readonly error: unknown }): void;
  /** it asks for one more element */
  asked(): void;
  /** it takes its time before it asks again; undefined if it takes none */
  pause(): Promise<unknown> | undefined;
}

export interface Reader {
  /** It has had enough, whether it waits for an element or not. */
  leave(): void;
}

/** @param takes leaves after so many elements; at 0 before it has asked for the first */
export function readGenerator(stream: AsyncGenerator, takes: number | undefined, told: Told): Reader {
  let hasLeft = false;
  const leave = (): void => {
    if (hasLeft) return;
    hasLeft = true;
    stream.return(undefined).then(
      () => told.end('left'),
      (error: unknown) => told.end({ error }),
    );
  };
  const read = async (): Promise<void> => {
    for (let count = 0; count !== takes; count++) {
      const pause = count === 0 ? undefined : told.pause();
      if (pause !== undefined) await pause;
      if (hasLeft) return;
      told.asked();
      const next = await stream.next();
      if (hasLeft && next.done !== true) told.element({ thing: 'an element after its reader had left' });
      if (hasLeft) return;
      if (next.done === true) return told.end('complete');
      told.element(next.value);
    }
    leave();
  };
  read().catch((error: unknown) => told.end({ error }));
  return { leave };
}

export function readObservable(stream: Observable<unknown>, takes: number | undefined, told: Told): Reader {
  const left = new Subject<void>();
  let hasEnded = false;
  let count = 0;
  const end: Told['end'] = (how) => {
    if (!hasEnded) told.end(how);
    hasEnded = true;
  };
  const leave = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    left.next();
    told.end('left');
  };
  if (takes === 0) leave();
  else {
    stream.pipe(takeUntil(left)).subscribe({
      next: (element) => {
        told.element(element);
        if (++count === takes) leave();
      },
      error: (error: unknown) => end({ error }),
      complete: () => end('complete'),
    });
  }
  return { leave };
}

/** Subscribes as soon as it can. Until then it cannot leave. */
export function readPromised(stream: Promise<Observable<unknown>>, takes: number | undefined, told: Told): Reader {
  let reader: Reader | null = null;
  stream.then(
    (observable) => (reader = readObservable(observable, takes, told)),
    (error: unknown) => told.end({ error }),
  );
  return { leave: () => reader?.leave() };
}
