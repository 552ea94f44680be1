import { availableParallelism } from 'node:os'

/** One run over every package: test files import their own sources, and the other packages as built. */
export default {
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/scripts'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } },
    ],
  },
  // Most tests wait for a chain or an auction: on two cores they wait side by side.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  testTimeout: 30_000,
  globalSetup: '<rootDir>/scripts/createSharedFolder.mjs',
  reporters: ['default', '<rootDir>/scripts/missingBrowserReporter.mjs'],
}
