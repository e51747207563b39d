/**
 * Programs of their own: TypeScript files that use the package by its name and run in a fresh Node process. The
 * library and the program are compiled into a folder inside `node_modules`, so nothing has to be built before, and
 * packages are found where the test run finds them.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

export interface ChildRun {
  /** null if a signal ended it */
  readonly code: number | null;
  /** SIGKILL if it did not end by itself */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildProgram {
  /** the compiled file */
  readonly path: string;
  run(nodeFlags?: readonly string[], args?: readonly string[]): Promise<ChildRun>;
  remove(): Promise<void>;
}

/** A program that still runs after this is killed: it does not end by itself. */
const LONGEST_RUN = 20_000;

/** The folder of the project. */
export const project = fileURLToPath(new URL('../..', import.meta.url));
const modules = join(project, process.env.NEST === '11' ? 'compat/nest11/node_modules' : 'node_modules');

const EXPORTS = { '.': './lib/index.js', './*': './lib/*/index.js' };

/** An empty folder where the packages of the test run are found. */
export async function newProgramFolder(): Promise<string> {
  const cache = join(modules, '.cache');
  await mkdir(cache, { recursive: true });
  return mkdtemp(join(cache, 'nestjs-fallback-'));
}

/** @param parts files of the same folder that the program imports */
export async function compileProgram(file: string, parts: readonly string[] = []): Promise<ChildProgram> {
  const folder = await newProgramFolder();
  const lib = await readdir(join(project, 'lib'), { recursive: true });
  const sources = lib.filter((name) => name.endsWith('.ts')).map((name) => join('lib', name));
  await Promise.all([
    ...sources.map((name) => compile(join(project, name), join(folder, toJs(name)))),
    ...[file, ...parts].map((name) => compile(name, join(folder, toJs(basename(name))))),
    writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'nestjs-fallback', type: 'module', exports: EXPORTS }),
    ),
  ]);
  const path = join(folder, toJs(basename(file)));
  return {
    path,
    run: (nodeFlags = [], args = []) => runNode([...nodeFlags, path, ...args]),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** By what .swcrc says, like tests. */
async function compile(from: string, to: string): Promise<void> {
  const { code } = await transformFile(from);
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, code);
}

function toJs(name: string): string {
  return name.replace(/\.ts$/, '.js');
}

/** A fresh Node process. */
export function runNode(args: readonly string[]): Promise<ChildRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_RUN,
      killSignal: 'SIGKILL',
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...said }));
  });
}
