// Why: docs/decisions/0029-proof-of-taker.md
import type { ChainPoint } from './followChain.ts'

/** A debt in raw units and its market's index in RAY, at the same block. */
type DebtAt = { debt: bigint; index: bigint }

/** Maximum number of blocks drawn. Each one uses 4 of the 32 bytes of a hash. */
const maxDrawn = 8

/**
 * Returns the older blocks at which a taker must have owed its debt: the one `age` blocks before the newest, and up to
 * eight between them. The newest block's hash draws one from each eighth, so borrowers cannot predict them.
 */
export function olderBlocks({ number, hash }: ChainPoint, age: number): bigint[] {
  if (age === 0) return []
  const oldest = number - BigInt(age)
  const between = age - 1
  const parts = Math.min(maxDrawn, between)
  const startOf = (part: number) => 1 + Math.floor((part * between) / parts)
  const drawn = Array.from({ length: parts }, (_, part) => {
    const word = Number.parseInt(hash.slice(2 + 8 * part, 10 + 8 * part), 16)
    const start = startOf(part)
    return oldest + BigInt(start + (word % (startOf(part + 1) - start)))
  })
  return [oldest, ...drawn]
}

/**
 * Returns the smallest of a taker's debts, each with its interest until the newest block, in raw units. Null stands for
 * a block without a debt.
 */
export function agedDebt(newest: DebtAt, older: readonly (DebtAt | null)[]): bigint {
  let least = newest.debt
  for (const reading of older) {
    const debt = withInterest(reading, newest.index)
    if (debt < least) least = debt
  }
  return least
}

/** Rounds up, as the market does, so that an unchanged debt does not lose a unit. */
function withInterest(reading: DebtAt | null, index: bigint): bigint {
  if (reading === null || reading.index === 0n) return 0n
  return (reading.debt * index + reading.index - 1n) / reading.index
}
