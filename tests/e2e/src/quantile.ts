/** Returns the value below which the given share of values lies; NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Formats the median, 99th percentile and maximum of values in milliseconds. */
export function describeMs(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5)}, p99 ${quantile(values, 0.99)}, worst ${Math.max(...values)} ms`
}
