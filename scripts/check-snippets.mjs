// Type-checks the code blocks marked `ts` of README.md and docs/*.md against lib. A block marked `ts continued` goes on
// where the block before it ended. Each block is its own file in a temporary folder, with its lines where they are in the
// page, so an error names the page's line.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['README.md', ...docsOf('docs')];

function docsOf(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** The programs of a page: `{ line, text }`, where `text` begins with as many empty lines as stand before it in the page. */
function programsOf(page) {
  const programs = [];
  let program;
  let isInside = false;
  for (const [place, line] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    if (isInside && line === '```') isInside = false;
    else if (isInside) program.text += line;
    else if (line === '```ts') {
      program = { line: place + 1, text: '\n'.repeat(place) };
      programs.push(program);
      isInside = true;
    } else if (line === '```ts continued') {
      if (program === undefined) throw new Error(`${page}:${place + 1} continues nothing`);
      isInside = true;
    }
    if (program !== undefined) program.text += '\n';
  }
  return programs;
}

// Inside the project, so that packages are found as from any other file of it.
const folder = mkdtempSync(join(root, '.snippets-'));
try {
  const pageOf = new Map();
  for (const page of pages) {
    for (const { line, text } of programsOf(page)) {
      const file = join(folder, `${page.replaceAll(/[^a-z0-9]+/gi, '-')}-${line}.ts`);
      writeFileSync(file, text);
      pageOf.set(basename(file), page);
    }
  }
  if (pageOf.size === 0) throw new Error('No page has a code block marked ts.');

  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram(
    [...pageOf.keys()].map((name) => join(folder, name)),
    options,
  );
  // Faults of lib itself are the business of `npm run typecheck`.
  const faults = ts.getPreEmitDiagnostics(program).filter(({ file }) => !file || dirname(file.fileName) === folder);
  for (const { file, start, messageText } of faults) {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n  ');
    if (file === undefined) console.error(message);
    else {
      const { line } = file.getLineAndCharacterOfPosition(start);
      console.error(`${pageOf.get(basename(file.fileName))}:${line + 1}: ${message}`);
    }
  }
  console.log(`${pageOf.size} snippets in ${pages.length} pages, ${faults.length} faults.`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
