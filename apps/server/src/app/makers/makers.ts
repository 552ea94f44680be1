import type { MakerOutcome, MakerOutcomePage, MakerQuoteFilters, PageFilters, QuotePage } from '@firmquote/core'
import { type Address, isAddressEqual } from 'viem'
import { rankOutcomes } from '../../domain/auctionOutcome.ts'
import { quoteTime } from '../chain/chainNow.ts'
import type { Sync } from '../chain/sync.ts'
import type { JudgingDeps } from '../quotes/makerChecks.ts'
import { createPublicRecord } from '../quotes/publicRecord.ts'
import type { QuoteStateQueries } from '../quotes/quoteStateQueries.ts'
import { type Authorize, createReadAuthorizations } from './readAuthorizations.ts'

/** Reads that are private to each maker. */
export type Makers = {
  authorize: Authorize
  /** A maker's stored quotes, newest first. */
  quotes(maker: Address, filters: MakerQuoteFilters): Promise<QuotePage>
  /** The outcomes of closed auctions that accepted one of the maker's quotes, newest first. */
  outcomes(maker: Address, page: PageFilters): Promise<MakerOutcomePage>
}

/** Creates {@link Makers}. */
export function createMakers(
  deps: JudgingDeps & { quoteStateQueries: QuoteStateQueries },
  sync: Pick<Sync, 'status'>,
): Makers {
  const { clock, store, quoteStateQueries, unprovenMakers } = deps
  const time = () => quoteTime(clock, sync)
  const publicRecord = createPublicRecord(time)

  return {
    authorize: createReadAuthorizations(deps),

    async quotes(maker, filters) {
      const { quotes, nextCursor } = await store.listMakerQuotes(maker, filters, time())
      const unproven = await unprovenMakers(await quoteStateQueries(quotes))
      return {
        quotes: quotes.map(({ publicRfqId, ...kept }, index) => ({
          ...publicRecord(kept, unproven[index]),
          ...(publicRfqId && { rfqId: publicRfqId }),
        })),
        nextCursor,
      }
    },

    async outcomes(maker, page) {
      const { auctions, nextCursor } = await store.listMakerAuctions(maker, page)
      return {
        outcomes: auctions.flatMap(({ rfq, publicRfqId, quotes, close }): MakerOutcome[] => {
          const own = rankOutcomes(quotes).find(({ accepted }) => isAddressEqual(accepted.quote.maker, maker))
          if (!own || !close) return []
          const { poolId, seriesKey, expiry, notional } = rfq
          const { outcome, accepted } = own
          const ending = { closedAt: close.closedAt, quoteCount: quotes.length, outcome, hash: accepted.hash }
          return [{ rfqId: publicRfqId, poolId, seriesKey, expiry, notional, ...ending }]
        }),
        nextCursor,
      }
    },
  }
}
