/**
 * Something kept with an object without changing what anybody can see of it: a private field, which a constructor can
 * put on whatever object it is made to return, also on a frozen one. A WeakMap does the same for ten times the price,
 * most of it paid by the garbage collector.
 */

/** @internal */
export interface Stamp<T> {
  read(target: object): T | undefined;
  write(target: object, value: T | undefined): void;
}

class Identity {
  constructor(target: object) {
    return target;
  }
}

/** A kind of stamp of its own: nobody else can read it. @internal */
export function createStamp<T>(): Stamp<T> {
  // For objects on which an engine allows no private field.
  let others: WeakMap<object, T | undefined> | null = null;

  return class Stamped extends Identity {
    #value: T | undefined;

    private constructor(target: object, value: T | undefined) {
      super(target);
      this.#value = value;
    }

    static read(target: object): T | undefined {
      return #value in target ? target.#value : others?.get(target);
    }

    static write(target: object, value: T | undefined): void {
      if (#value in target) target.#value = value;
      else if (value !== undefined) Stamped.add(target, value);
    }

    private static add(target: object, value: T): void {
      try {
        void new Stamped(target, value);
      } catch {
        (others ??= new WeakMap()).set(target, value);
      }
    }
  };
}
