/**
 * A quote whose deadline is nearer than this many seconds does not count as takeable: a transaction needs about as long to
 * get into a block. The default of the SDK's deadline check.
 */
export const submissionWindowSeconds = 30

/**
 * Whole seconds in which a quote can still be submitted safely; never below zero. Pure.
 *
 * @param deadline Unix seconds.
 * @param nowMs Unix milliseconds.
 */
export function secondsToSubmit(deadline: bigint, nowMs: number): number {
  const left = Number(deadline) - submissionWindowSeconds - Math.ceil(nowMs / 1000)
  return Math.max(0, left)
}
