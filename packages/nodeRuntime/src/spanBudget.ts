/** how many spans are written: a bound on what traces cost, however many ask for them. */
export type SpanBudget = {
  /** Whether something may begin. What strangers ask for leaves half of the burst to what has begun. */
  admits(isOwn: boolean): boolean
  spend(): void
}

/** The most spans that one thing that was admitted is expected to have. */
const mostAtOnce = 12

/**
 * Creates a budget of so many spans a second, and a burst. Spans of what was admitted are never refused, so that a trace is whole.
 *
 * @param now milliseconds.
 */
export function createSpanBudget(
  { perSecond, burst }: { perSecond: number; burst: number },
  now: () => number,
): SpanBudget {
  let left = burst
  let at = now()

  return {
    admits(isOwn) {
      const time = now()
      left = Math.min(burst, left + ((time - at) / 1_000) * perSecond)
      at = time
      return left >= (isOwn ? mostAtOnce : Math.max(mostAtOnce, burst / 2))
    },
    spend() {
      left -= 1
    },
  }
}
