import TestSequencer from '@jest/test-sequencer'

/** Slow tests: first the longest trials, then by what they wait for: browsers, processes, chains, disks. */
const kinds = [
  /\/(?:pageIdle|docsSite|crash|faultyNode)\.trial\.ts$/,
  /\.browser\.test\.ts$/,
  /\/apps\/cli\//,
  /\/tests\/e2e\//,
  /\/integration\//,
  /\/adapters\//,
]

/**
 * Jest sequencer: slow files first, so that no worker starts one while the others are done. The kinds alternate, so
 * that three browsers do not share two cores. Jest itself only knows the durations of an earlier run, which a new clone
 * does not have.
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
