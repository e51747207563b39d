/** How long an outcome may be told again, ms. */
const MEMORY = 600_000;

/** Outcomes that were told lately. @internal */
export class RecentIds {
  private readonly at = new Map<string, number>();

  /** Whether it is new. */
  add(id: string, now: number): boolean {
    for (const [old, at] of this.at) {
      if (now - at < MEMORY) break;
      this.at.delete(old);
    }
    if (this.at.has(id)) return false;
    this.at.set(id, now);
    return true;
  }
}
