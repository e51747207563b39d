/** Where elements go. @internal */
export interface Taker {
  next(element: unknown): void;
}

/** Where elements go, and the end of them; told nothing more after that. @internal */
export interface Sink extends Taker {
  error(error: unknown): void;
  complete(): void;
}

/** Where elements come from. It may be asked again while it gives. @internal */
export interface Source {
  /** who is told of the end, and of what is next, unless somebody else takes that; may change while it runs */
  sink: Sink;
  taker: Taker;
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
  /** Who may be given elements that are nobody else's business. */
  taker(isPushing: boolean): Taker;
  /** What was held back has been given; from now on it may ask for more. */
  attach(feed: Feed): void;
}
