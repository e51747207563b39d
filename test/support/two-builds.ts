/**
 * The package as it is published, its ES module build and its CommonJS build, and a program that loads both into one
 * process. TypeScript emits everything with the options of the real builds into a folder inside `node_modules`, so
 * nothing has to be built before, and packages are found where the test run finds them.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { newProgramFolder, project, runNode } from './child-program.js';
import type { ChildRun } from './child-program.js';

export type Format = 'esm' | 'cjs';

export interface TwoBuilds {
  /** Runs the program as a module of this format; it is handed the arguments. */
  run(format: Format, ...args: string[]): Promise<ChildRun>;
  remove(): Promise<void>;
}

const TYPES: Readonly<Record<Format, string>> = { esm: 'module', cjs: 'commonjs' };

/** Each loads both builds as modules of its format can, and prints what the program's `report` gives for them. */
const STARTERS: Readonly<Record<Format, string>> = {
  esm: `
    import { createRequire } from 'node:module';
    import * as esm from 'nestjs-fallback';
    import { report } from './report.js';
    const cjs = createRequire(import.meta.url)('nestjs-fallback');
    console.log(JSON.stringify(await report({ esm, cjs }, ...process.argv.slice(2))));
  `,
  cjs: `
    const cjs = require('nestjs-fallback');
    const { report } = require('./report.js');
    void import('nestjs-fallback')
      .then((esm) => report({ esm, cjs }, ...process.argv.slice(2)))
      .then((said) => console.log(JSON.stringify(said)));
  `,
};

/** @param program a folder whose report.ts exports `report`; what its files import of the package is types only */
export async function buildBoth(program: string): Promise<TwoBuilds> {
  const folder = await newProgramFolder();
  const installed = join(folder, 'node_modules', 'nestjs-fallback');
  await write(join(installed, 'package.json'), await readFile(join(project, 'package.json'), 'utf8'));
  for (const [format, type] of Object.entries(TYPES) as [Format, string][]) {
    const build = join(installed, 'dist', format);
    const own = join(folder, format);
    const options = optionsOf(format);
    await Promise.all([
      emitAll(join(project, 'lib'), build, options),
      emitAll(program, own, options),
      write(join(own, 'start.js'), STARTERS[format]),
      ...[build, own].map((place) => write(join(place, 'package.json'), JSON.stringify({ type }))),
    ]);
  }
  return {
    run: (format, ...args) => runNode([join(folder, format, 'start.js'), ...args]),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function emitAll(from: string, to: string, compilerOptions: ts.CompilerOptions): Promise<void> {
  const files = (await readdir(from, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const emit = async (file: string): Promise<void> => {
    const source = await readFile(join(from, file), 'utf8');
    const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: file });
    await write(join(to, file.replace(/\.ts$/, '.js')), outputText);
  };
  await Promise.all(files.map(emit));
}

function optionsOf(format: Format): ts.CompilerOptions {
  const file = join(project, `tsconfig.${format}.json`);
  const { options, errors } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    project,
  );
  if (errors.length > 0) throw new Error(ts.flattenDiagnosticMessageText(errors[0]!.messageText, '\n'));
  return { ...options, sourceMap: false, declaration: false, declarationMap: false };
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
