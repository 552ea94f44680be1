/** How long answers took, in milliseconds. */
export type Latencies = { p50: number; p99: number; p999: number; most: number }

/** The percentiles of the given times. */
export function summarizeLatencies(times: Iterable<number>): Latencies {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1) }
}
