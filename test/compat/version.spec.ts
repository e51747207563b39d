import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HttpException } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';

const asked = process.env.NEST ?? '12';
const require = createRequire(import.meta.url);
const nest11Folder = join('compat', 'nest11', 'node_modules') + sep;

/** A missing compat/nest11 would otherwise fall back to Nest 12 in silence, and both runs would test the same thing. */
describe(`the suite runs on Nest ${asked}`, () => {
  it.each([
    ['@nestjs/common', 'HttpException', HttpException],
    ['@nestjs/core', 'ModuleRef', ModuleRef],
    ['@nestjs/testing', 'Test', Test],
  ])('%s: version, folder and the imported class', async (name, exported, imported) => {
    const entry = require.resolve(name);
    const { version } = JSON.parse(readFileSync(join(dirname(entry), 'package.json'), 'utf8')) as { version: string };
    expect(version.split('.')[0]).toBe(asked);
    expect(entry.includes(nest11Folder)).toBe(asked === '11');

    const fromThatFolder = (await import(pathToFileURL(entry).href)) as Record<string, unknown>;
    expect(imported).toBe(fromThatFolder[exported]);
  });

  it('rxjs and reflect-metadata exist once: ours are the ones Nest sees', () => {
    const seenByNest = createRequire(require.resolve('@nestjs/core'));
    expect(require.resolve('rxjs')).toBe(seenByNest.resolve('rxjs'));
    expect(require.resolve('reflect-metadata')).toBe(seenByNest.resolve('reflect-metadata'));
  });
});
