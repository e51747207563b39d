/** Where the options of two imports of the module differ. */

/** Options that are read. All others do something (they are called, or hold state) and are the same or not. */
const SETTINGS = new Set(['defaults', 'overrides', 'http']);

/** The paths of the options that differ; never what they hold, which may be secret. @internal */
export function differencesOf(one: unknown, other: unknown): string[] {
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other) ? [] : [''];
  return namesOf(one, other).flatMap((name) => {
    if (SETTINGS.has(name)) return deepDifferences(one[name], other[name], name);
    return areSame(one[name], other[name]) ? [] : [name];
  });
}

function deepDifferences(one: unknown, other: unknown, path: string): string[] {
  if (Array.isArray(one) && Array.isArray(other)) return areSame(one, other) ? [] : [path];
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other) ? [] : [path];
  return namesOf(one, other).flatMap((name) => deepDifferences(one[name], other[name], `${path}.${name}`));
}

/** The very same, or lists of the very same. */
function areSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other);
  return one.length === other.length && one.every((each, place) => Object.is(each, other[place]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || prototype === Object.prototype;
}

function namesOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
