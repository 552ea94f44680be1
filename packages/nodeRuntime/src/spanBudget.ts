/** A token bucket that bounds the cost of tracing, however many requests ask to be traced. */
export type SpanBudget = {
  /**
   * Whether a trace may begin. Traces requested from outside can use only half of the burst. The other half is reserved
   * for this program's own traces and for running traces' spans.
   */
  admits(isOwn: boolean): boolean
  spend(): void
}

/** Expected maximum number of spans in one trace. */
const maxSpansPerTrace = 12

/**
 * Creates a budget with a sustained rate per second and a burst. Once a trace is admitted, its spans are never refused, so
 * that each trace is complete.
 *
 * @param now returns milliseconds.
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
      return left >= (isOwn ? maxSpansPerTrace : Math.max(maxSpansPerTrace, burst / 2))
    },
    spend() {
      left -= 1
    },
  }
}
