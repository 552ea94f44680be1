import TestSequencer from '@jest/test-sequencer'

/** Slow tests. The longest trials come first, followed by tests that wait for browsers, processes, chains and disks. */
const kinds = [
  /\/(?:pageIdle|docsSite|crash|faultyNode)\.trial\.ts$/,
  /\.browser\.test\.ts$/,
  /\/apps\/cli\//,
  /\/tests\/e2e\//,
  /\/integration\//,
  /\/adapters\//,
]

/**
 * Jest sequencer that runs slow files first, so that no worker starts a slow file after all other files have finished.
 * Different kinds of tests alternate, so that three browsers do not share two cores. Jest's own sequencer relies on
 * durations from an earlier run, which a new clone does not have.
 */
// biome-ignore lint/style/noDefaultExport: Jest requires a default export.
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const byKind = Map.groupBy(super.sort(tests), ({ path }) => kinds.findIndex((pattern) => pattern.test(path)))
    const others = byKind.get(-1) ?? []
    byKind.delete(-1)
    const turns = [...byKind.values()].flatMap((ofKind) => ofKind.map((test, turn) => ({ test, turn })))
    return [...turns.sort((a, b) => a.turn - b.turn).map(({ test }) => test), ...others]
  }
}
