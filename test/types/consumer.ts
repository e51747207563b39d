/**
 * A project that uses the package as installed: in memory, with the declarations that the build would write.
 * Nothing needs to be built first and nothing is written to disk.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = `${root}.consumer`;

/** How most Nest applications that are modules compile. */
const MODULE: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: ['node'],
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};

/** How a Nest application from before that compiles: CommonJS, and not strict. */
export const COMMON_JS: ts.CompilerOptions = {
  ...MODULE,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  ignoreDeprecations: '6.0',
  esModuleInterop: true,
  strict: false,
  exactOptionalPropertyTypes: false,
};

export interface Project {
  readonly program: ts.Program;
  /** the file of the project with this name */
  source(name: string): ts.SourceFile;
  /** what the compiler says about a file of the project; without a name, about the package's own declarations */
  faults(name?: string): string[];
}

let built: ReadonlyMap<string, string> | undefined;

/** The declarations of `npm run build`, by their paths in the package. Both formats have the same. */
function declarations(): ReadonlyMap<string, string> {
  if (built !== undefined) return built;
  const emitted = new Map<string, string>();
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.esm.json`,
    { emitDeclarationOnly: true, declarationMap: false, sourceMap: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  )!;
  ts.createProgram(config.fileNames, config.options).emit(undefined, (path, text) => {
    const file = path.slice(path.indexOf('/dist/esm/') + '/dist/esm/'.length);
    for (const format of ['esm', 'cjs']) emitted.set(`dist/${format}/${file}`, text);
  });
  emitted.set('dist/esm/package.json', '{ "type": "module" }');
  emitted.set('dist/cjs/package.json', '{ "type": "commonjs" }');
  emitted.set('package.json', readFileSync(`${root}package.json`, 'utf8'));
  return (built = emitted);
}

/** A project of these files, with the package installed. */
export function project(files: Readonly<Record<string, string>>, options: ts.CompilerOptions = MODULE): Project {
  const type = options.module === ts.ModuleKind.CommonJS ? 'commonjs' : 'module';
  const texts = new Map([[`${home}/package.json`, JSON.stringify({ type })]]);
  for (const [name, text] of Object.entries(files)) texts.set(`${home}/${name}`, text);
  for (const [path, text] of declarations()) texts.set(`${home}/node_modules/nestjs-fallback/${path}`, text);

  const host = ts.createCompilerHost(options, true);
  const disk = ts.createCompilerHost(options, true);
  host.getCurrentDirectory = () => home;
  host.readFile = (path) => texts.get(path) ?? disk.readFile(path);
  host.fileExists = (path) => texts.has(path) || disk.fileExists(path);
  host.directoryExists = (path) =>
    [...texts.keys()].some((text) => text.startsWith(`${path}/`)) || (disk.directoryExists?.(path) ?? false);
  const names = Object.keys(files).map((name) => `${home}/${name}`);
  const program = ts.createProgram(names, options, host);
  const source = (name: string): ts.SourceFile => program.getSourceFile(`${home}/${name}`)!;
  return {
    program,
    source,
    faults: (name) =>
      name === undefined
        ? [
            ...program.getOptionsDiagnostics().map(textOf),
            ...program
              .getSourceFiles()
              .filter(isOfPackage)
              .flatMap((file) => faultsOf(program, file)),
          ]
        : faultsOf(program, source(name)),
  };
}

function fail(fault: ts.Diagnostic): never {
  throw new Error(textOf(fault));
}

function isOfPackage({ fileName }: ts.SourceFile): boolean {
  return fileName.startsWith(`${home}/node_modules/nestjs-fallback/`);
}

function faultsOf(program: ts.Program, file: ts.SourceFile): string[] {
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map((fault) => {
    const { line } = ts.getLineAndCharacterOfPosition(file, fault.start ?? 0);
    return `line ${line + 1}: ${textOf(fault)}`;
  });
}

function textOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}
