import TestSequencer from '@jest/test-sequencer'

/** What takes longer comes later: examples, then random histories. */
const later = [/Histories\.test\.ts$/]

/**
 * The order of test files for mutations: tests of pure functions before those that run a whole service, so that a mutation
 * which both would notice is noticed within milliseconds.
 */
// biome-ignore lint/style/noDefaultExport: jest takes a sequencer from a module's default export.
export default class PureFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => later.findIndex((pattern) => pattern.test(path))
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b))
  }
}
