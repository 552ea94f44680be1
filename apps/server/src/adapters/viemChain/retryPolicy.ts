/** Why a node did not answer a call. */
export type NodeFault =
  /** No answer in time, or no connection. */
  | 'silent'
  /** The node limits the rate of requests. */
  | 'limited'
  /** The answer was not a JSON-RPC answer, or not one that fits the call. */
  | 'garbage'

/** A failed attempt: a fault, a block that this node does not have yet, or an error inside the node. */
export type FailedAttempt = {
  fault: NodeFault | 'missing' | 'internal'
  /** The number of earlier attempts of this call. */
  earlier: number
  /** Milliseconds left in the call's budget. */
  leftMs: number
  /** The node's Retry-After in milliseconds, or null. */
  retryAfterMs: number | null
  /** A random number from 0 to 1. */
  random: number
}

/** Maximum number of attempts. With half of all attempts refused, twelve fail once in 4,096 calls. */
const maxAttempts = { silent: 12, limited: 12, garbage: 12, missing: 20, internal: 2 } as const
const [firstPauseMs, pauseFactor] = [20, 1.5]
/**
 * Maximum pause in milliseconds, before jitter. If half of a balancer's nodes lack a block, a read of 0.8 seconds makes
 * about 14 attempts for it, which fail once in 16,000 calls.
 */
const maxPauseMs = { silent: 250, limited: 250, garbage: 250, missing: 60, internal: 250 } as const
/** An attempt with less time than this is not worth making. */
const minAttemptMs = 20

/** Returns the milliseconds to wait before the next attempt, or null if the call has failed. */
export function pauseBeforeRetry({ fault, earlier, leftMs, retryAfterMs, random }: FailedAttempt): number | null {
  if (earlier + 1 >= maxAttempts[fault]) return null
  const pauseMs = Math.min(firstPauseMs * pauseFactor ** earlier, maxPauseMs[fault]) * (0.5 + random)
  const waitMs = Math.max(pauseMs, retryAfterMs ?? 0)
  return leftMs - waitMs >= minAttemptMs ? waitMs : null
}

const [firstBackOffMs, maxBackOffMs] = [250, 5_000]

/** Returns the milliseconds without calls after `rounds` rounds of failed calls. */
export function backOff(rounds: number, random: number): number {
  return Math.min(firstBackOffMs * 2 ** (rounds - 1), maxBackOffMs) * (0.75 + random / 2)
}

/** Minimum number of observed latencies from which a timeout is derived. */
const minLatencies = 5
const [minTimeoutMs, latencyFactor] = [250, 4]

/** Returns a call's timeout in milliseconds: four times the 95th percentile of recent latencies, within bounds. */
export function timeoutFor(latencies: readonly number[], maxMs: number): number {
  if (latencies.length < minLatencies) return maxMs
  const sorted = [...latencies].sort((a, b) => a - b)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? maxMs
  return Math.min(Math.max(minTimeoutMs, latencyFactor * p95), maxMs)
}
