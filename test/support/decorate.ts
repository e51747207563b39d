import 'reflect-metadata';

/** Applies decorators as the compiler does, the last of the list first: for orders that are generated. */
export function decorate(decorators: readonly unknown[], target: object, key: string | symbol): void {
  let descriptor = Object.getOwnPropertyDescriptor(target, key)!;
  for (const decorator of [...decorators].reverse() as MethodDecorator[]) {
    descriptor = (decorator(target, key, descriptor) as PropertyDescriptor | void) ?? descriptor;
  }
  Object.defineProperty(target, key, descriptor);
}

/** Every list that has `added` at one of its places, the rest in order. */
export function everyPlace<T>(rest: readonly T[], added: T): T[][] {
  return Array.from({ length: rest.length + 1 }, (_, place) => [...rest.slice(0, place), added, ...rest.slice(place)]);
}

/** All metadata that can be read on a function, by key. */
export function metadataOf(target: object): Map<unknown, unknown> {
  const keys = Reflect.getMetadataKeys(target) as unknown[];
  return new Map(keys.map((key) => [key, Reflect.getMetadata(key, target) as unknown]));
}
