/** A place where `count` callers wait for each other, so that they overlap for certain. */
export class Barrier {
  private arrived = 0;
  private release!: () => void;
  private readonly complete = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  constructor(private readonly count: number) {}

  /** Counts the caller in. */
  arrive(): void {
    if (++this.arrived === this.count) this.release();
  }

  /** Resolves when all have arrived. */
  async wait(): Promise<void> {
    await this.complete;
  }
}
