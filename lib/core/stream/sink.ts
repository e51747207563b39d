/** Where elements go. Told nothing more after its end. @internal */
export interface Sink {
  next(element: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

/** Where elements come from. It may be asked again while it gives. @internal */
export interface Source {
  /** who is told; may change while it runs */
  sink: Sink;
  /** it gives unasked */
  readonly isPushing: boolean;
  /** Begins; called once. */
  start(): void;
  /** Asks for one more element. */
  pull(): void;
  /** Ends it early, at once. Nothing is awaited, and the sink hears nothing more. */
  close(): void;
}

/** What a consumer draws from once elements flow. @internal */
export interface Feed {
  /** it gives unasked: whoever takes all that comes need not ask */
  readonly isPushing: boolean;
  pull(): void;
}

/** Who reads a stream: the way back to the caller. @internal */
export interface Consumer extends Sink {
  /** What was held back has been given; from now on it may ask for more. */
  attach(feed: Feed): void;
}
