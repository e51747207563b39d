import type { Shelf } from './shelf.js';

/**
 * Where one chain's values are: on the shelf of the instance that answers, under keys that begin with the chain and
 * with which of the classes that inherit it. What one class answered is no answer of another.
 * @internal
 */
export class Places {
  private readonly prefixes = new WeakMap<object, string>();
  private readonly taken = new Map<string, number>();
  private readonly shelves = new Set<Shelf>();

  constructor(
    private readonly chain: string,
    readonly shelfOf: (host: object) => Shelf,
  ) {}

  /** Takes a class before its first call: classes of one name are told apart by the order in which they are met. */
  meet(type: object, shelf: Shelf | undefined): void {
    this.prefixFor(type);
    if (shelf !== undefined) this.shelves.add(shelf);
  }

  prefixOf(host: object): string {
    return this.prefixFor(host.constructor);
  }

  /** Wherever a key may have a value. */
  all(): { readonly prefix: string; readonly shelf: Shelf }[] {
    const prefixes = [...this.taken].flatMap(([name, count]) =>
      Array.from({ length: count }, (_, n) => this.write(name, n)),
    );
    return [...this.shelves].flatMap((shelf) => prefixes.map((prefix) => ({ prefix, shelf })));
  }

  private prefixFor(type: object): string {
    let prefix = this.prefixes.get(type);
    if (prefix === undefined) {
      const { name } = type as { name: string };
      const count = this.taken.get(name) ?? 0;
      this.taken.set(name, count + 1);
      prefix = this.write(name, count);
      this.prefixes.set(type, prefix);
    }
    return prefix;
  }

  private write(className: string, count: number): string {
    return JSON.stringify([this.chain, className, count]);
  }
}
