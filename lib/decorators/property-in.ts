/** A property of an object or of what it inherits from, without running a getter. @internal */
export function propertyIn(owner: unknown, key: PropertyKey): PropertyDescriptor | undefined {
  for (let level: unknown = owner; level !== null && level !== undefined; level = Object.getPrototypeOf(level)) {
    const property = Object.getOwnPropertyDescriptor(level, key);
    if (property !== undefined) return property;
  }
  return undefined;
}

/** Whether it can be called; what a getter gives is believed. @internal */
export function hasMethod(owner: unknown, key: PropertyKey): boolean {
  const property = propertyIn(owner, key);
  return property !== undefined && (property.get !== undefined || typeof property.value === 'function');
}
