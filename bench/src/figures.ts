import { max, median, min, quantile } from 'simple-statistics'

/** Median and spread of a run's rounds. */
export type Figure = {
  median: number
  low: number
  high: number
  /** The absolute values behind a ratio, for the report. */
  note?: string
}

/** Latency percentiles in milliseconds; NaN without samples. */
export type Percentiles = { count: number; p50: number; p95: number; p99: number; max: number }

/** @throws {TypeError} if there are no values, or one is not finite. */
export function figureOf(values: readonly number[]): Figure {
  if (values.length === 0 || !values.every(Number.isFinite))
    throw new TypeError('A figure requires at least one value, and all values must be finite.')
  return { median: median([...values]), low: min([...values]), high: max([...values]) }
}

/**
 * Computes the ratio per round, since both sides of a round run under the same conditions. `unit` is the unit of both
 * sides.
 */
export function ratioOf(ours: readonly number[], theirs: readonly number[], unit: string): Figure {
  const ratio = figureOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
  return { ...ratio, note: `${round(median([...ours]))} against ${round(median([...theirs]))} ${unit}` }
}

export function percentilesOf(samples: readonly number[]): Percentiles {
  const [p50 = Number.NaN, p95 = Number.NaN, p99 = Number.NaN, most = Number.NaN] =
    samples.length > 0 ? quantile([...samples], [0.5, 0.95, 0.99, 1]) : []
  return { count: samples.length, p50, p95, p99, max: most }
}

const round = (amount: number) => amount.toLocaleString('en', { maximumSignificantDigits: 4 })
