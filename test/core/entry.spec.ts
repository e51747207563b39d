import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import * as core from '../../lib/core/index.js';
import * as main from '../../lib/index.js';

const root = fileURLToPath(new URL('../../lib/core', import.meta.url));

/** Every module that a source file names, types included. */
function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);
}

/** All files that are reached from one, and everything they name that is no file beside them. */
function reach(start: string): { files: Set<string>; foreign: string[] } {
  const files = new Set<string>();
  const foreign: string[] = [];
  const todo = [start];
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) todo.push(join(dirname(file), name.replace(/\.js$/, '.ts')));
      else foreign.push(`${relative(root, file)} imports ${name}`);
    }
  }
  return { files, foreign };
}

describe('the entry point ./core', () => {
  const { files, foreign } = reach(join(root, 'index.ts'));

  it('names no package and nothing of Node', () => {
    expect(foreign).toEqual([]);
  });

  it('reaches no file outside core', () => {
    expect([...files].filter((file) => relative(root, file).startsWith('..'))).toEqual([]);
    expect(files.size).toBeGreaterThan(20);
  });

  it('names no global of Node or of Nest', () => {
    const words = /\b(process|Buffer|require|__dirname|setImmediate|Reflect\.(get|define)Metadata)\b/;
    const guilty = [...files].filter((file) => words.test(code(file)));
    expect(guilty.map((file) => relative(root, file))).toEqual([]);
  });

  it('has functions of the main entry, the very same', () => {
    const shared = Object.entries(core as Record<string, unknown>);
    expect(shared.length).toBeGreaterThan(15);
    for (const [name, value] of shared) expect([name, (main as Record<string, unknown>)[name]]).toEqual([name, value]);
    for (const [name, value] of shared) expect((main as Record<string, unknown>)[name]).toBe(value);
  });

  it.each(['createFallbackChain', 'fallback', 'classifyFailure', 'strictLlm', 'receiptOf', 'acceptOk', 'rateLimited'])(
    'has %s',
    (name) => {
      expect((core as Record<string, unknown>)[name]).toBeInstanceOf(Function);
    },
  );
});

/** A source without its comments and strings. */
function code(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/'[^'\n]*'|`[^`]*`/g, "''");
}
