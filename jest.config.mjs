import { availableParallelism } from 'node:os'

/**
 * Path patterns of what `npm test` leaves to `npm run test:slow`: browser views, adversarial tests, tarballs, walkthroughs, proxies.
 * One walk per kind of user stays in `npm test`.
 */
export const slowTests = ['/tests/e2e/src/(?!walks/|hostile/lyingServer)', '/packages/cluster/']

/** One run over every package, from sources. */
export default {
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/tests', '<rootDir>/bench', '<rootDir>/scripts'],
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
  // Workspace packages resolve to their sources.
  testEnvironmentOptions: { customExportConditions: ['@firmquote/source', 'node', 'node-addons'] },
  resolver: '<rootDir>/scripts/resolveBundled.cjs',
  // Most tests wait for a chain or an auction, side by side: with one worker per core the cores idle a third of the time.
  maxWorkers: availableParallelism() + 1,
  // No test may need its neighbours' order; the seed that is printed repeats it (`--seed`).
  randomize: true,
  testSequencer: '<rootDir>/scripts/longestFirst.mjs',
  testTimeout: 30_000,
  // A worker that has loaded hundreds of files holds over a gigabyte, and takes longer to exit than jest waits.
  workerIdleMemoryLimit: '600MB',
  globalSetup: '<rootDir>/scripts/createSharedFolder.mjs',
  reporters: ['default', '<rootDir>/scripts/reporter.mjs'],
}
