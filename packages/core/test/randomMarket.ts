import { pad } from 'viem'
import type { ChoosableQuote, ChooseOptions } from '../src/selection/chooseQuotes.ts'

/** Creates a seeded generator of integers from 0 to `limit` - 1. */
export function createDraws(seed: number): (limit: number) => number {
  // Uses the multiplier and increment from Numerical Recipes, and drops the low bits.
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/**
 * Creates up to 14 quotes and a notional to fix. Equal amounts occur either often or never, and quotes come either from
 * a few makers or each from a different one.
 */
export function drawMarket(draw: (limit: number) => number): { quotes: ChoosableQuote[]; options: ChooseOptions } {
  const hex = (value: number, size: number) => pad(`0x${value.toString(16)}`, { size })
  const unit = [1n, 10n ** 6n, 10n ** 24n + 7n][draw(3)] as bigint
  const isFine = draw(2) === 0
  const makers = draw(2) === 0 ? 3 : 100
  const amount = (most: number) => BigInt(isFine ? draw(most + 1) : draw(most / 100 + 1) * 100) * unit
  const quotes = Array.from({ length: draw(15) }, (_, index): ChoosableQuote => {
    const notional = amount(1_100)
    const percent = draw(8) === 0 ? ([20, 99, 100][draw(3)] as number) : draw(7)
    // The hash does not depend on the index.
    return {
      hash: hex(draw(2 ** 20) * 16 + index, 32),
      maker: hex(1 + draw(makers), 20),
      notional,
      vrtAmount: (notional * BigInt(percent)) / 100n,
    }
  })
  const funds = new Map([1, 2, 3].map((maker) => [hex(maker, 20) as string, amount(1_500)]))
  const options = {
    notional: 1_000n * unit,
    ...(draw(2) === 0 && { maxVrtAmount: BigInt(draw(8)) * 10n * unit }),
    ...(draw(3) === 0 && { capacity: amount(1_300) }),
    ...(draw(2) === 0 && { funds }),
    ...(draw(3) === 0 && { maxTakes: 1 + draw(4) }),
  }
  return { quotes, options }
}
