// Why: docs/decisions/0015-mutation-testing.md
/**
 * `npm run mutate`: mutates the code that decides over money and auctions, one spot at a time, and counts mutants that
 * no test detects.
 */
export default {
  mutate: [
    'packages/core/src/chain/{contractCalls,gate,readCapacities,readFunds}.ts',
    'packages/core/src/{bestSubset,chooseQuotes,quoteWorth,judgeTerms,judgeState,typedData,hashQuote,quoteDigest,hexBytes,rates,signature}.ts',
    'apps/daemon/src/domain/exposure.ts',
    'apps/server/src/domain/{applyAuctionEvent,auctionRecord,auctionState,backerEntries,crowd,judgeSubmission,largeFill,minNotionalOf,seats,takerDebt}.ts',
    'apps/server/src/app/auctions/*.ts',
    'apps/server/src/app/storageWatch.ts',
    '!**/*.test.ts',
  ],
  thresholds: { break: 95 },
  // Static code can only be mutated once per process, which is slow. It is mostly constants.
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Long enough that a busy machine does not look like an endless loop, which would count as detected.
  timeoutMS: 30_000,
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: {
    config: {
      testMatch: [
        '**/packages/core/src/{*,chain/*,verifier/*}.test.ts',
        '**/apps/daemon/src/domain/*.test.ts',
        '**/apps/server/src/domain/{auction*,apply*,backer*,crowd,judge*,largeFill,minNotionalOf,seats,takerDebt}.test.ts',
        // Leaves out the test that starts a chain. It takes seconds, and every mutant would load it.
        '**/apps/server/src/app/auctions/!(takerProofs).test.ts',
        '**/apps/server/src/app/storageWatch*.test.ts',
      ],
      reporters: [],
      // A test that waits for something that never comes has detected the mutant. The slowest test takes half a second
      // on an idle machine.
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
