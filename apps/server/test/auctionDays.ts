import { toRfqId } from '@firmquote/core'
import type { Store } from '../src/ports/store.ts'
import { hashOf, newAuction, newAuctionQuote, newClose, openedAt, runAuction } from './storedQuotes.ts'

const dayMs = 86_400_000

/**
 * Runs auctions on three days (UTC) and in two series, with rates that are equal, quotes that are unproven, and one that stays open:
 * everything that the best rate of a day is chosen by.
 */
export async function runAuctionDays(store: Store): Promise<void> {
  const auctions = [
    {
      at: 0,
      series: 1,
      quotes: [
        { apr: 7, notional: 10n },
        { apr: 6, notional: 5n },
        { apr: 6, notional: 7n },
      ],
    },
    { at: 1, series: 1, quotes: [{ apr: 6, notional: 6n }] },
    {
      at: 2,
      series: 2,
      quotes: [
        { apr: 3, notional: 9n, unproven: true },
        { apr: 8, notional: 1n },
      ],
    },
    { at: dayMs, series: 1, quotes: [{ apr: 9, notional: 2n }] },
    { at: dayMs + 1, series: 1, quotes: [{ apr: 8.5, notional: 2n }] },
    { at: 2 * dayMs, series: 2, quotes: [{ apr: 1, notional: 3n, unproven: true }] },
    { at: 2 * dayMs + 1, series: 2, quotes: [] },
    { at: 2 * dayMs + 2, series: 1, quotes: [{ apr: 2, notional: 4n }], stays: true },
  ]
  for (const [index, { at, series, quotes, stays }] of auctions.entries()) {
    const id = toRfqId((0xa0 + index).toString(16).padStart(32, '0'))
    const seriesKey = hashOf(900 + series)
    const auction = newAuction(id, { seriesKey, openedAt: openedAt + at, closesAt: openedAt + at + 15_000 })
    const given = quotes.map(({ apr, notional, ...rest }, place) =>
      newAuctionQuote(
        1_000 + index * 10 + place,
        id,
        { seriesKey, notional },
        { apr, receivedAt: openedAt + at, ...rest },
      ),
    )
    if (stays) {
      await store.openAuction(auction)
      for (const quote of given) await store.acceptQuote(quote, openedAt + at)
    } else {
      await runAuction(store, auction, given, newClose(id, { at: openedAt + at + 15_000 }))
    }
  }
}
