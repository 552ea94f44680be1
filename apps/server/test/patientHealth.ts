import { createNodeHealth, type NodeHealth } from '../src/adapters/viemChain/nodeHealth.ts'

/** Creates a node's health without back-off, so that a test's node is called as soon as its faults end. */
export function createPatientHealth(): NodeHealth {
  let now = 0
  return createNodeHealth({
    now: () => {
      now += 60_000
      return now
    },
  })
}
