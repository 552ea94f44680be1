/**
 * Seconds before its deadline at which a quote stops counting as executable, because mining a transaction takes about
 * that long. Equals the default of the SDK's deadline check.
 */
export const submissionWindowSeconds = 30

/**
 * Whole seconds left to submit a quote safely. Never negative. Pure.
 *
 * @param deadline Unix seconds.
 * @param nowMs Unix milliseconds.
 */
export function secondsToSubmit(deadline: bigint, nowMs: number): number {
  const left = Number(deadline) - submissionWindowSeconds - Math.ceil(nowMs / 1000)
  return Math.max(0, left)
}
