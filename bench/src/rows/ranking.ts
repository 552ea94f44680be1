import { comparePrices, type QuoteMarketQuote } from '@firmquote/core'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshQuotes } from '../sampleQuotes.ts'

const auctionSize = 200
const freshAuctions = (count: number) => Array.from({ length: Math.min(count, 16) }, () => freshQuotes(auctionSize))
const rate = ({ vrtAmount, notional }: QuoteMarketQuote) => Number(vrtAmount) / Number(notional)

/** Ranking the quotes of an auction, which is exact. */
export const ranking: Row = {
  id: 'ranking',
  about: 'ranking the 200 quotes of an auction exactly, against a sort by floating-point rates',
  async run(context) {
    const comparison = await compareRates(
      {
        ours: createSide('Firmquote', freshAuctions, (quotes) => quotes.sort(comparePrices)),
        theirs: createSide('floats', freshAuctions, (quotes) => quotes.sort((a, b) => rate(a) - rate(b))),
      },
      context,
    )
    return {
      findings: [
        {
          what: `rank ${auctionSize} quotes, exactly`,
          rival: 'a sort by floating-point rates (inexact)',
          unit: 'x',
          figure: comparison.ratio,
          ...goals.ranking,
          notes: [describeRates(comparison, 'auctions/s')],
        },
      ],
    }
  },
}
