// House rules no linter knows: short files, kebab-case names, and every export of lib either promised or internal.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const MAX_LINES = 250;
const root = fileURLToPath(new URL('..', import.meta.url));
const faults = [];

function filesOf(folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

const isTagged = (node) => ts.getJSDocTags(node).some((tag) => ['publicApi', 'internal'].includes(tag.tagName.text));
const isExported = (node) =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);

/** Declarations of one statement by name; `export const a = 1, b = 2` has two and one comment. */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  return [statement.name?.getText() ?? 'default'];
}

/** Re-exports name something documented elsewhere. `export { local }` is judged by the declaration it names. */
function checkExports(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const exported = new Set();
  const tagged = new Set();
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.moduleSpecifier || !statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
      for (const { propertyName, name } of statement.exportClause.elements) exported.add((propertyName ?? name).text);
      continue;
    }
    if (ts.isExportAssignment(statement)) {
      faults.push(`${relative(root, file)}: no default exports`);
      continue;
    }
    for (const name of declaredNames(statement)) {
      if (isExported(statement)) exported.add(name);
      // One tagged overload speaks for all; so does the type of a type-and-value pair.
      if (isTagged(statement)) tagged.add(name);
    }
  }
  for (const name of exported) {
    if (!tagged.has(name)) faults.push(`${relative(root, file)}: export ${name} needs @publicApi or @internal`);
  }
}

for (const file of ['lib', 'test', 'sample'].flatMap(filesOf)) {
  const where = relative(root, file);
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > MAX_LINES) faults.push(`${where}: ${lines} lines, at most ${MAX_LINES}`);
  if (!where.startsWith(`lib${sep}`)) continue;
  if (!/^[a-z0-9]+([.-][a-z0-9]+)*\.ts$/.test(basename(file))) faults.push(`${where}: file names are kebab-case`);
  checkExports(file, text);
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length} house ${faults.length === 1 ? 'rule' : 'rules'} broken.`);
  process.exit(1);
}
