/**
 * Holds the package to its frozen public names, names.d.ts.txt (a text, so that it stays word for word as it was
 * frozen). The lists of names-to-come.ts say what is still to come; they can only shrink, since an entry that came must go.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { compareTypes } from './compare.js';
import type { Differences } from './compare.js';
import { project } from './consumer.js';
import {
  CHECKED_BY_CALLS,
  EXTRA_MEMBERS,
  EXTRA_NAMES,
  MEMBERS_TO_COME,
  NAMES_TO_COME,
  STATICS_TO_COME,
  UNLIKE,
} from './names-to-come.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const frozenText = read('names.d.ts.txt');
const frozenFile = ts.createSourceFile('names.d.ts', frozenText, ts.ScriptTarget.ES2022);
const calls = read('calls.types.ts');

/** What stands for a type parameter, by its name. */
const STAND_INS: Readonly<Record<string, string>> = { A: '[string, number]', T: 'Answer', P: 'Provider', K: "'find'" };

interface Frozen {
  readonly name: string;
  readonly isValue: boolean;
  readonly isType: boolean;
  readonly parameters: readonly ts.TypeParameterDeclaration[];
}

function frozenNames(): Map<string, Frozen> {
  const found = new Map<string, Frozen>();
  for (const statement of frozenFile.statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported !== true) continue;
    const isType =
      ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement);
    const isValue = !isType || ts.isClassDeclaration(statement);
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const each of declared) {
      const { text: name } = (each as ts.DeclarationStatement).name as ts.Identifier;
      found.set(name, { name, isType, isValue, parameters: isType ? (statement.typeParameters ?? []) : [] });
    }
  }
  return found;
}

const frozen = frozenNames();

/** Every frozen name twice, as frozen and as the package has it, with the same type arguments. */
function pairs(): string {
  const lines = [...frozen.values()].flatMap(({ name, isType, isValue, parameters }) => {
    const given = parameters.map((parameter) => STAND_INS[parameter.name.text]).join(', ');
    const forms = isType ? [['', given === '' ? '' : `<${given}>`]] : [];
    if (parameters.length > 0 && parameters.every((parameter) => parameter.default)) forms.push(['Defaults', '']);
    return [
      ...forms.flatMap(([form, args]) =>
        ['Frozen', 'Package'].map((side) => `export type ${side}${form}_${name} = ${side}.${name}${args};`),
      ),
      ...(isValue
        ? ['Frozen', 'Package'].map((side) => `export type ${side}Value_${name} = typeof ${side}.${name};`)
        : []),
    ];
  });
  return [
    "import type * as Frozen from './names.js';",
    "import type * as Package from 'nestjs-fallback';",
    'interface Answer { answer: string }',
    'interface Provider { find(id: string): Promise<Answer> }',
    ...lines,
  ].join('\n');
}

const consumer = project({
  'names.d.ts': frozenText,
  'pairs.ts': pairs(),
  'calls.ts': calls,
  'frozen-calls.ts': calls.replaceAll("'nestjs-fallback'", "'./names.js'"),
});
const checker = consumer.program.getTypeChecker();
const types = new Map<string, ts.Type>();
consumer.source('pairs.ts').forEachChild((node) => {
  if (ts.isTypeAliasDeclaration(node)) types.set(node.name.text, checker.getTypeAtLocation(node.name));
});

function exportsOfPackage(): Set<string> {
  const [, statement] = consumer.source('pairs.ts').statements;
  const module = checker.getSymbolAtLocation((statement as ts.ImportDeclaration).moduleSpecifier)!;
  return new Set(checker.getExportsOfModule(module).map(({ name }) => name));
}

const exported = exportsOfPackage();
const shared = [...frozen.values()].filter(({ name }) => exported.has(name));

it('exports every frozen name, but for those to come', () => {
  expect([...frozen.keys()].filter((name) => !exported.has(name))).toEqual(NAMES_TO_COME);
});

it('exports no name that is neither frozen nor known', () => {
  expect([...exported].filter((name) => !frozen.has(name))).toEqual(EXTRA_NAMES);
});

it('takes the type parameters that are frozen', () => {
  const isMissing = /no exported member|does not exist on type/;
  expect(consumer.faults('pairs.ts').filter((fault) => !isMissing.test(fault))).toEqual([]);
});

it('has types that are the frozen ones, but for members to come', () => {
  const differences: Differences = { missing: [], extra: [], unlike: [] };
  const names = new Set(shared.map(({ name }) => name));
  for (const { name } of shared) {
    for (const form of ['', 'Defaults']) {
      const [one, other] = [types.get(`Frozen${form}_${name}`), types.get(`Package${form}_${name}`)];
      if (one !== undefined && other !== undefined) compareTypes({ checker, names, differences }, name, one, other);
    }
  }
  const once = (list: readonly string[]): string[] => [...new Set(list)];
  expect(once(differences.missing)).toEqual(MEMBERS_TO_COME);
  expect(once(differences.extra)).toEqual(EXTRA_MEMBERS);
  expect(once(differences.unlike)).toEqual(UNLIKE);
});

it('has values that can be used as the frozen ones', () => {
  const unusable = shared
    .filter(({ isValue, isType }) => isValue && !isType)
    .filter(
      ({ name }) => !checker.isTypeAssignableTo(types.get(`PackageValue_${name}`)!, types.get(`FrozenValue_${name}`)!),
    );
  expect(unusable.map(({ name }) => name)).toEqual(CHECKED_BY_CALLS);
});

it('has classes with the frozen static methods', () => {
  const missing = shared
    .filter(({ isValue, isType }) => isValue && isType)
    .flatMap(({ name }) => {
      const given = types.get(`PackageValue_${name}`)!;
      const members = types
        .get(`FrozenValue_${name}`)!
        .getProperties()
        .map((member) => member.name);
      return members.filter((member) => given.getProperty(member) === undefined).map((member) => `${name}.${member}`);
    });
  expect(missing).toEqual(STATICS_TO_COME);
});

it.each(['calls.ts', 'frozen-calls.ts'])('compiles every call of %s', (name) => {
  expect(consumer.faults(name)).toEqual([]);
});
