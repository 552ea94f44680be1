/** Token bucket that bounds the cost of traces, however many requests ask for one. */
export type SpanBudget = {
  /** Whether a trace may begin. Outside requests can use only half of the burst; the rest is for spans of running traces. */
  admits(isOwn: boolean): boolean
  spend(): void
}

/** Expected maximum number of spans in one trace. */
const maxSpansPerTrace = 12

/**
 * Creates a budget with a sustained rate per second and a burst. Spans of an admitted trace are never refused, so that each
 * trace is complete.
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
