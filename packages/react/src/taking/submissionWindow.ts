/**
 * Seconds before its deadline from which a quote no longer counts as executable, because a transaction takes about as
 * long to get into a block. The default of the SDK's deadline check.
 */
export const submissionWindowSeconds = 30

/**
 * Whole seconds during which a quote can still be submitted safely. Never negative. Pure.
 *
 * @param deadline Unix seconds.
 * @param nowMs Unix milliseconds.
 */
export function secondsToSubmit(deadline: bigint, nowMs: number): number {
  const left = Number(deadline) - submissionWindowSeconds - Math.ceil(nowMs / 1000)
  return Math.max(0, left)
}
