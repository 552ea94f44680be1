import { rounds, seed } from '@firmquote/test-support/trial'

/**
 * What the rounds of a trial play of everything that could be played: as many as there are rounds, drawn by the seed, each once.
 * With enough rounds that is all.
 */
export function drawCells<Cell>(cells: readonly Cell[], count = rounds): Cell[] {
  const left = [...cells]
  const drawn: Cell[] = []
  let state = BigInt(seed) + 1n
  while (left.length > 0 && drawn.length < count) {
    // Knuth's MMIX generator; its low bits repeat early.
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n
    drawn.push(...left.splice(Number((state >> 33n) % BigInt(left.length)), 1))
  }
  return drawn
}
