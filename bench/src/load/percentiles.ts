/** How a latency spreads, in milliseconds; NaN where nothing was measured. */
export type Percentiles = { count: number; p50: number; p95: number; p99: number; max: number }

/** The nearest-rank percentiles of the samples. */
export function percentilesOf(samples: readonly number[]): Percentiles {
  const sorted = Float64Array.from(samples).sort()
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
