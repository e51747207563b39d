import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// NEST=11 resolves every @nestjs/* package from compat/nest11 first. test/compat/version.spec.ts proves that it did.
const nest11 =
  process.env.NEST === '11' ? [fileURLToPath(new URL('./compat/nest11/node_modules', import.meta.url))] : [];

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Tests mostly wait for a machine's processes, not for time; a busy machine is no failure.
  testTimeout: 20_000,
  // Some suites mostly wait, so even two cores have work for three.
  maxWorkers: Math.max(3, availableParallelism()),
  // Modules of the language stay in memory for as long as a worker lives: a full one spends its time collecting.
  workerIdleMemoryLimit: '1GB',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^nestjs-fallback$': '<rootDir>/lib/index.ts',
    '^nestjs-fallback/(.*)$': '<rootDir>/lib/$1/index.ts',
    // The sources import './x.js', as Node will see them.
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  moduleDirectories: [...nest11, 'node_modules'],
  coverageProvider: 'v8',
  collectCoverageFrom: ['lib/**/*.ts'],
  // As .swcrc says, for programs that tests compile too.
  transform: { '^.+\\.ts$': '@swc/jest' },
};
