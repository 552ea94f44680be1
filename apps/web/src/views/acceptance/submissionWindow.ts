import { submissionWindowSeconds } from '../../service/submissionWindow.ts'

/**
 * Whole seconds in which a quote can still be submitted safely; never below zero.
 *
 * @param deadline Unix seconds.
 * @param nowMs Unix milliseconds.
 */
export function secondsToSubmit(deadline: bigint, nowMs: number): number {
  const left = Number(deadline) - submissionWindowSeconds - Math.ceil(nowMs / 1000)
  return Math.max(0, left)
}
