import { rounds, seed } from '@firmquote/test-support/trial'
import fc from 'fast-check'

/** Draws distinct cells of a trial's matrix from the seed, one per round. */
export function drawCells<Cell>(cells: readonly Cell[]): Cell[] {
  const length = Math.min(rounds, cells.length)
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...cells], { minLength: length, maxLength: length }), {
    ...{ seed, numRuns: 1 },
  })
  return drawn
}
