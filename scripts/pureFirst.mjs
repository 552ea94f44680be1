import TestSequencer from '@jest/test-sequencer'

/** Slow files, which run last: examples, then random histories. */
const later = [/Histories\.test\.ts$/]

/**
 * Jest sequencer for mutation testing. Tests of pure functions run before tests of a whole service, so that a mutation
 * that both detect is detected within milliseconds.
 */
// biome-ignore lint/style/noDefaultExport: Jest requires a default export.
export default class PureFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => later.findIndex((pattern) => pattern.test(path))
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b))
  }
}
