// Why: docs/decisions/0015-mutation-testing.md
/**
 * `npm run mutate` mutates the code that makes decisions about money and auctions, one location at a time, and counts
 * undetected mutants.
 */
export default {
  mutate: [
    'packages/core/src/chain/{contractCalls,gate,readCapacities,readFunds}.ts',
    'packages/core/src/{bestSubset,chooseQuotes,quoteWorth,judgeTerms,judgeState,typedData,hashQuote,quoteDigest,hexBytes,rates,signature}.ts',
    'apps/daemon/src/domain/exposure.ts',
    'apps/server/src/domain/{applyAuctionEvent,auctionRecord,auctionState,backerEntries,crowd,debtAge,judgeSubmission,largeFill,minNotionalOf,seats,takerDebt}.ts',
    'apps/server/src/app/auctions/*.ts',
    'apps/server/src/app/storageWatch.ts',
    '!**/*.test.ts',
  ],
  thresholds: { break: 95 },
  // Mutating static code requires a new process per mutation, which is slow. Most static code consists of constants.
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // The timeout is long, so that slowness on a busy machine is not mistaken for an endless loop, which would count as
  // detected.
  timeoutMS: 30_000,
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: {
    config: {
      testMatch: [
        '**/packages/core/src/{*,chain/*,verifier/*}.test.ts',
        '**/apps/daemon/src/domain/*.test.ts',
        '**/apps/server/src/domain/{auction*,apply*,backer*,crowd,debtAge,judge*,largeFill,minNotionalOf,seats,takerDebt}.test.ts',
        // Excludes the test that starts a chain. That test takes seconds and would run for every mutant.
        '**/apps/server/src/app/auctions/!(takerProofs).test.ts',
        '**/apps/server/src/app/storageWatch*.test.ts',
      ],
      reporters: [],
      // A test that times out has detected the mutant. The slowest test takes half a second on an idle machine.
      testTimeout: 10_000,
      testSequencer: './scripts/pureFirst.mjs',
      testEnvironment: './scripts/bailEnvironment.cjs',
    },
  },
  plugins: ['@stryker-mutator/jest-runner', './scripts/ignoreLogs.mjs'],
  ignorers: ['logs'],
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false, reportTests: false },
  ignorePatterns: ['dist', 'apps/web', 'bench', 'tests/e2e'],
  allowConsoleColors: false,
}
