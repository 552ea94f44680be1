import TestSequencer from '@jest/test-sequencer'

/** What runs whole programs, browsers and auctions takes longest; in this order. */
const longest = [/\.browser\.test\.ts$/, /\/apps\/cli\//, /\/packages\/e2e\//, /\/integration\//, /\/adapters\//]

/**
 * Jest's order of test files: the longest first, so that no worker starts one of them when the others are done. Jest itself
 * knows the durations of an earlier run only, and a fresh clone has none.
 */
// biome-ignore lint/style/noDefaultExport: jest takes a sequencer from a module's default export.
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ path }) {
  const rank = longest.findIndex((pattern) => pattern.test(path))
  return rank < 0 ? longest.length : rank
}
