import { backOff, type NodeFault, timeoutFor } from './retryPolicy.ts'

/** A node as its calls have found it. Times are monotonic, in milliseconds. */
export type NodeHealth = {
  /** Number of calls that have failed since the last answer. */
  failures(): number
  /** The last failed call's fault, or null if the node has answered since. */
  fault(): NodeFault | null
  /** Median latency of the latest calls; null without calls. */
  latencyMs(): number | null
  /** Timeout of the next attempt. */
  timeoutMs(method: string, maxMs: number): number
  /**
   * Waits until a call may be made, and returns its maximum number of attempts. While the node is failing, one call at a
   * time tests it with one attempt, and the others wait for the outcome. Zero means that the node must not be called yet.
   */
  admit(leftMs: number): Promise<number>
  /** Notes that an attempt took this long, whether or not it was answered. */
  measured(method: string, ms: number): void
  /** Notes a call's end: answered, or failed after all attempts. */
  ended(fault: NodeFault | null, retryAfterMs?: number | null): void
}

/** Maximum milliseconds for which a call waits for a failing node or for the call that tests it. */
const maxWaitMs = 500
/** Maximum Retry-After that is honoured, in milliseconds. */
const maxRetryAfterMs = 30_000
const keptLatencies = 20

/** Creates the health of one node. */
export function createNodeHealth({
  now = () => performance.now(),
  random = Math.random,
}: {
  now?: () => number
  random?: () => number
} = {}): NodeHealth {
  const latencies = new Map<string, number[]>()
  const recent: number[] = []
  let failures = 0
  let lastFault: NodeFault | null = null
  /** Rounds of failed calls in a row, each followed by a longer pause. */
  let rounds = 0
  let retryAt = 0
  /** The call that tests a failing node. */
  let test: { done: Promise<void>; end: () => void } | null = null

  const keep = (list: number[], ms: number) => {
    list.push(ms)
    if (list.length > keptLatencies) list.shift()
  }

  return {
    failures: () => failures,
    fault: () => lastFault,
    latencyMs: () => [...recent].sort((a, b) => a - b)[recent.length >> 1] ?? null,
    timeoutMs: (method, maxMs) => timeoutFor(latencies.get(method) ?? [], maxMs),
    async admit(leftMs) {
      if (rounds === 0 && now() >= retryAt) return Number.POSITIVE_INFINITY
      if (test) await Promise.race([test.done, pause(Math.min(maxWaitMs, leftMs))])
      if (rounds === 0 && now() >= retryAt) return Number.POSITIVE_INFINITY
      if (test) return 0
      const waitMs = retryAt - now()
      if (waitMs > Math.min(maxWaitMs, leftMs)) return 0
      let end = () => {}
      const done = new Promise<void>((resolve) => {
        end = resolve
      })
      test = { done, end }
      if (waitMs > 0) await pause(waitMs)
      return 1
    },
    measured(method, ms) {
      const known = latencies.get(method) ?? []
      latencies.set(method, known)
      keep(known, ms)
      keep(recent, ms)
    },
    ended(fault, retryAfterMs = null) {
      lastFault = fault
      if (fault === null) {
        failures = 0
        rounds = 0
        retryAt = 0
      } else {
        failures += 1
        // Calls that failed together are one round. A single failed call may be bad luck.
        if (failures > 1 && now() >= retryAt) {
          rounds += 1
          retryAt = now() + backOff(rounds, random())
        }
        if (retryAfterMs !== null) retryAt = Math.max(retryAt, now() + Math.min(retryAfterMs, maxRetryAfterMs))
      }
      test?.end()
      test = null
    },
  }
}

/** Resolves after the given milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
