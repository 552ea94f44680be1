import { toRfqId } from '@firmquote/core'
import type { Store } from '../src/ports/store.ts'
import { closesAt, hashOf, newAuction, newAuctionQuote, newClose, openedAt, runAuction } from './storedQuotes.ts'

const dayMs = 86_400_000
const unproven = true

/**
 * For each auction: its opening time in milliseconds after `openedAt`, its series, its quotes, and whether it stays
 * open.
 */
const auctions = [
  {
    after: 0,
    series: 901,
    quotes: [
      [7, 10n],
      [6, 5n],
      [6, 7n],
    ],
  },
  { after: 1, series: 901, quotes: [[6, 6n]] },
  { after: 2, series: 901, quotes: [[6, 8n]] },
  {
    after: 3,
    series: 902,
    quotes: [
      [3, 9n, { unproven }],
      [8, 1n],
    ],
  },
  { after: dayMs, series: 901, quotes: [[9, 2n]] },
  { after: dayMs + 1, series: 901, quotes: [[8.5, 2n]] },
  { after: 2 * dayMs, series: 902, quotes: [[1, 3n, { unproven }]] },
  { after: 2 * dayMs + 1, series: 902, quotes: [] },
  { after: 2 * dayMs + 2, series: 901, quotes: [[2, 4n]], isOpen: true },
] as const

/**
 * Runs auctions on three UTC days in two series, with equal rates, unproven quotes and an open auction, which covers
 * all cases for a day's best rate. The series hashes are 901 and 902.
 */
export async function runAuctionDays(store: Store): Promise<void> {
  for (const [index, { after, series, quotes, ...rest }] of auctions.entries()) {
    const id = toRfqId((0xa0 + index).toString(16).padStart(32, '0'))
    const seriesKey = hashOf(series)
    const at = openedAt + after
    const auction = newAuction(id, { seriesKey, openedAt: at, closesAt: closesAt + after })
    const given = quotes.map(([apr, notional, more], place) =>
      newAuctionQuote(1_000 + index * 10 + place, id, { seriesKey, notional }, { apr, receivedAt: at, ...more }),
    )
    if ('isOpen' in rest) await runAuction({ ...store, closeAuction: async () => null }, auction, given)
    else await runAuction(store, auction, given, newClose(id, { at: closesAt + after }))
  }
}
