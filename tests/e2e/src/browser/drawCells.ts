import { rounds, seed } from '@firmquote/test-support/trial'
import fc from 'fast-check'

/** Draws as many of a trial's cells as it has rounds, by the seed, each at most once. */
export function drawCells<Cell>(cells: readonly Cell[]): Cell[] {
  const length = Math.min(rounds, cells.length)
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...cells], { minLength: length, maxLength: length }), {
    ...{ seed, numRuns: 1 },
  })
  return drawn
}
