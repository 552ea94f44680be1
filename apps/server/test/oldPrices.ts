import { expect } from '@jest/globals'
import { priceOf } from '../src/domain/rateOrder.ts'
import type { Store } from '../src/ports/store.ts'
import { createRandomInteger } from './randomQuotes.ts'
import { applyBlock, seriesCreated } from './storedBlocks.ts'
import { newQuote, now, seriesKey } from './storedQuotes.ts'

const random = createRandomInteger(7)
const amountOf = (bits: number) => 2n ** BigInt(bits) + BigInt(random(2 ** 30)) * 2n ** BigInt(bits - 30)

/**
 * Quotes of one series from before quotes had a price. The dearest have the lowest rate as of their creation. Amounts
 * are up to 2^127.
 */
export const oldQuotes = Array.from({ length: 60 }, (_, n) => {
  const notional = amountOf(40 + (n % 87))
  const vrtAmount = (notional * BigInt(1 + random(2 ** 30))) / 2n ** 31n
  return newQuote(n + 1, { notional, vrtAmount }, { apr: 100 - Number((vrtAmount * 100n) / notional) })
})

/** Expects the quotes in order of price. */
export async function expectPriceOrder(store: Store): Promise<void> {
  await applyBlock(store, 1, seriesCreated())
  const sorted = [...oldQuotes].sort((a, b) => priceOf(a.quote) - priceOf(b.quote)).map(({ hash }) => hash)
  for (const filters of [{ seriesKey }, {}]) {
    const { quotes } = await store.listQuotes({ ...filters, sort: 'rate', limit: 100 }, now)
    expect(quotes.map((record) => record.parse().hash)).toEqual(sorted)
  }
  const range = { seriesKey, least: 1n, most: 2n ** 127n - 1n, perMaker: 100, limit: 100 }
  expect((await store.listOffers(range, now)).map(({ hash }) => hash)).toEqual(sorted)
}
