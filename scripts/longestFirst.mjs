import TestSequencer from '@jest/test-sequencer'

/** What takes long: first the longest trials, then by what it waits for: browsers, processes, chains, disks. */
const kinds = [
  /\/(?:pageIdle|docsSite|crash|faultyNode)\.trial\.ts$/,
  /\.browser\.test\.ts$/,
  /\/apps\/cli\//,
  /\/tests\/e2e\//,
  /\/integration\//,
  /\/adapters\//,
]

/**
 * Jest's order of test files: what takes long is first, so that no worker starts one of them when the others are done, and
 * one of each kind after the other, so that three browsers do not share two cores. Jest itself knows the durations of an
 * earlier run only, and a fresh clone has none.
 */
// biome-ignore lint/style/noDefaultExport: jest takes a sequencer from a module's default export.
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const byKind = Map.groupBy(super.sort(tests), ({ path }) => kinds.findIndex((pattern) => pattern.test(path)))
    const others = byKind.get(-1) ?? []
    byKind.delete(-1)
    const turns = [...byKind.values()].flatMap((ofKind) => ofKind.map((test, turn) => ({ test, turn })))
    return [...turns.sort((a, b) => a.turn - b.turn).map(({ test }) => test), ...others]
  }
}
