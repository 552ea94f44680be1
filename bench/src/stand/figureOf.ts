import type { Figure } from '../row.ts'

/**
 * The median of what was measured, and its spread.
 *
 * @param values at least one; the median of an even count is the mean of the two in the middle.
 * @throws {TypeError} when there is none, or one is not a finite number: a figure needs measurements.
 */
export function figureOf(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number) => sorted[Math.floor(index)] ?? Number.NaN
  const [middle, last] = [(sorted.length - 1) / 2, sorted.length - 1]
  const figure = { median: (at(middle) + at(Math.ceil(middle))) / 2, low: at(0), high: at(last) }
  if (sorted.length === 0 || !sorted.every(Number.isFinite)) throw new TypeError('A figure needs what was measured.')
  return figure
}

/** What one side did against the other, round by round: both took their turns under the same conditions. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Figure {
  return figureOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}
