/** Compares two sets of types, name by name and member by member, and says in words where they are not the same. */
import ts from 'typescript';

export interface Differences {
  /** members and union parts of the first that the second does not have */
  missing: string[];
  /** members and union parts that only the second has */
  extra: string[];
  /** what both have, but not alike */
  unlike: string[];
}

export interface Comparison {
  readonly checker: ts.TypeChecker;
  /** names that are compared on their own, so not again inside others */
  readonly names: ReadonlySet<string>;
  readonly differences: Differences;
}

/** Adds to `differences` how `actual` is not `frozen`; `path` names the place. */
export function compareTypes(comparison: Comparison, path: string, frozen: ts.Type, actual: ts.Type): void {
  const { checker, names, differences } = comparison;
  const name = nameOf(frozen);
  if (path !== name && name !== undefined && names.has(name) && name === nameOf(actual)) return;
  const [parts, others] = [partsOf(frozen), partsOf(actual)];
  if (parts.length !== 1 || others.length !== 1) return compareUnions(comparison, path, parts, others);
  if (parts[0] !== frozen || others[0] !== actual) return compareTypes(comparison, path, parts[0]!, others[0]!);
  if (isPlain(checker, frozen) && isPlain(checker, actual)) return compareMembers(comparison, path, frozen, actual);
  if (!areSame(checker, frozen, actual)) {
    differences.unlike.push(`${path}: ${print(checker, actual)} instead of ${print(checker, frozen)}`);
  }
}

function compareUnions(comparison: Comparison, path: string, parts: ts.Type[], others: ts.Type[]): void {
  const { checker, differences } = comparison;
  const rest = new Set(others);
  for (const part of parts) {
    const same = others.find((other) => rest.has(other) && areSame(checker, part, other));
    if (same === undefined) {
      differences.missing.push(`${path}: ${print(checker, part)}`);
      continue;
    }
    rest.delete(same);
    if (isPlain(checker, part)) compareTypes(comparison, path, part, same);
  }
  for (const part of rest) differences.extra.push(`${path}: ${print(checker, part)}`);
}

function compareMembers(comparison: Comparison, path: string, frozen: ts.Type, actual: ts.Type): void {
  const { checker, differences } = comparison;
  const [expected, given] = [membersOf(frozen), membersOf(actual)];
  for (const [name, member] of expected) {
    const other = given.get(name);
    const where = `${ownerOf(comparison, member) ?? path}.${name}`;
    if (other === undefined) differences.missing.push(where);
    else if (flagsOf(member) !== flagsOf(other)) {
      differences.unlike.push(`${where}: ${flagsOf(other)} instead of ${flagsOf(member)}`);
    } else compareTypes(comparison, where, checker.getTypeOfSymbol(member), checker.getTypeOfSymbol(other));
  }
  for (const name of given.keys()) if (!expected.has(name)) differences.extra.push(`${path}.${name}`);
  const [index, otherIndex] = [frozen.getStringIndexType(), actual.getStringIndexType()];
  if (index !== undefined && otherIndex !== undefined) compareTypes(comparison, `${path}[]`, index, otherIndex);
  else if (index !== otherIndex) differences.unlike.push(`${path}[]: only one has an index`);
}

/** An object with members and nothing else: not a function, not a list, not a type of another package. */
function isPlain(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
  if (checker.isArrayLikeType(type)) return false;
  if (type.getCallSignatures().length + type.getConstructSignatures().length > 0) return false;
  const declaredIn = type.symbol?.declarations?.map((declaration) => declaration.getSourceFile()) ?? [];
  return !declaredIn.some(({ fileName, hasNoDefaultLib }) => hasNoDefaultLib || isForeign(fileName));
}

function isForeign(fileName: string): boolean {
  return fileName.includes('/node_modules/') && !fileName.includes('/node_modules/nestjs-fallback/');
}

/** The frozen interface that declares a member: it may be another one than the type that has it. */
function ownerOf({ names }: Comparison, { declarations }: ts.Symbol): string | undefined {
  const owner = declarations?.[0]?.parent;
  return owner !== undefined && ts.isInterfaceDeclaration(owner) && names.has(owner.name.text)
    ? owner.name.text
    : undefined;
}

/** The members that users see. */
function membersOf(type: ts.Type): Map<string, ts.Symbol> {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const members = type.getProperties().filter(({ name, declarations = [] }) => {
    const isHidden = declarations.some((each) => ts.getCombinedModifierFlags(each) & hidden);
    return !isHidden && !/^(__|#)/.test(name);
  });
  return new Map(members.map((member) => [member.name, member]));
}

function flagsOf(member: ts.Symbol): string {
  const isReadonly = member.declarations?.every((each) => {
    const isGetter = ts.isGetAccessor(each);
    return isGetter || ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Readonly;
  });
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  return `${isReadonly === true ? 'readonly' : 'writable'} and ${isOptional ? 'optional' : 'required'}`;
}

/** Without what optional members add. */
function partsOf(type: ts.Type): ts.Type[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.filter((part) => !(part.flags & ts.TypeFlags.Undefined));
}

/** Alike, or unlike only in what they name: that is compared on its own. */
function areSame(checker: ts.TypeChecker, one: ts.Type, other: ts.Type): boolean {
  const areAlike = checker.isTypeAssignableTo(one, other) && checker.isTypeAssignableTo(other, one);
  return areAlike || print(checker, one) === print(checker, other);
}

function nameOf(type: ts.Type): string | undefined {
  return (type.aliasSymbol ?? type.symbol)?.name;
}

function print(checker: ts.TypeChecker, type: ts.Type): string {
  return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
}
