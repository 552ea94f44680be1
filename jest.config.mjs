import { availableParallelism } from 'node:os'

/**
 * Path patterns for `npm run test:slow` instead of `npm test`: browser views, adversarial tests, tarballs,
 * walkthroughs, proxies.
 * One walk per kind of user stays in `npm test`.
 */
export const slowTests = ['/tests/e2e/src/(?!walks/|adversarial/lyingServer)', '/packages/cluster/']

/** One run over all packages, from sources. */
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
  // Most tests wait for a chain or an auction. With one worker per core, the cores are idle a third of the time.
  maxWorkers: availableParallelism() + 1,
  // Tests must not depend on their order. `--seed` with the printed seed repeats a run.
  randomize: true,
  testSequencer: '<rootDir>/scripts/longestFirst.mjs',
  testTimeout: 30_000,
  // A worker that has loaded hundreds of files uses over a gigabyte, and takes longer to exit than Jest waits.
  workerIdleMemoryLimit: '600MB',
  globalSetup: '<rootDir>/scripts/createSharedFolder.mjs',
  reporters: ['default', '<rootDir>/scripts/reporter.mjs'],
}
