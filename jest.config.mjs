import { availableParallelism } from 'node:os'

/**
 * Path patterns of the tests run by `npm run test:slow` instead of `npm test`: browser views, adversarial tests,
 * tarballs, walkthroughs, proxies. `npm test` still includes one walkthrough per kind of user.
 */
export const slowTests = ['/tests/e2e/src/(?!walks/|adversarial/lyingServer)', '/packages/cluster/']

/** One run covers all packages, from source. */
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
  // Most tests wait for a chain or an auction. With one worker per core, the cores would be idle a third of the time.
  maxWorkers: availableParallelism() + 1,
  // Tests must not depend on their order. To repeat a run, pass the printed seed as `--seed`.
  randomize: true,
  testSequencer: '<rootDir>/scripts/longestFirst.mjs',
  testTimeout: 30_000,
  // A worker that has loaded hundreds of files uses more than a gigabyte and takes too long to exit.
  workerIdleMemoryLimit: '600MB',
  globalSetup: '<rootDir>/scripts/createSharedFolder.mjs',
  reporters: ['default', '<rootDir>/scripts/reporter.mjs'],
}
