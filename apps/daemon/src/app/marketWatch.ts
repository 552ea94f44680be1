import type { AuctionResultMessage, RFQBroadcast } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { OutstandingQuote } from '../domain/exposure.ts'
import {
  type Curve,
  describeAuction,
  describeBook,
  exposureBySeries,
  type MarketView,
  type PublishedCurve,
  type RecentAuction,
} from '../domain/marketView.ts'
import type { Service } from '../ports/service.ts'
import type { PositionBook } from './positionBook.ts'

/** Cached market data, updated in the background so that answers do not wait for it. */
export type MarketWatch = {
  /** Reads the curves from the service. */
  refresh(): Promise<void>
  /** Records the result of an auction. */
  noteResult(rfq: RFQBroadcast, result: AuctionResultMessage): void
  /** Returns market data for a pricer. `live` contains the maker's live quotes in the loan token. */
  see(market: { poolId: Hex; loanToken: Address }, live: readonly OutstandingQuote[]): MarketView
  /** A pool's loan token according to the service, or null if it has not reported the pool. */
  tokenOf(poolId: Hex): PublishedCurve['loanToken'] | null
  /** The service's pools. */
  poolIds(): Hex[]
}

const maxAuctions = 100
/** Maximum number of pools. Bounds memory. */
const maxPools = 1_000
/** Maximum age of the curves, in milliseconds. */
const oldestMs = 120_000

/** Creates the cache. */
export function createMarketWatch({
  maker,
  service,
  positions,
  clock,
}: {
  maker: Address
  service: Pick<Service, 'readCurves'>
  positions: PositionBook
  clock: Clock
}): MarketWatch {
  let curves = new Map<Hex, Curve>()
  let tokens = new Map<Hex, PublishedCurve['loanToken']>()
  let readAt = Number.NEGATIVE_INFINITY
  const auctions: RecentAuction[] = []

  return {
    async refresh() {
      const told = (await service.readCurves()).slice(0, maxPools)
      const seconds = Math.floor(clock.now() / 1_000)
      curves = new Map(told.map(({ poolId, loanToken: _, ...curve }) => [poolId, { ...curve, readAt: seconds }]))
      tokens = new Map(told.map(({ poolId, loanToken }) => [poolId, loanToken]))
      readAt = clock.monotonic()
    },
    noteResult(rfq, result) {
      const auction = describeAuction(rfq, result)
      if (auction) auctions.unshift(auction)
      auctions.length = Math.min(auctions.length, maxAuctions)
    },
    see({ poolId, loanToken }, live) {
      const isFresh = clock.monotonic() - readAt <= oldestMs
      const own = positions.own().filter((one) => isAddressEqual(one.maker, maker) && one.loanToken === loanToken)
      return {
        curve: (isFresh && curves.get(poolId)) || null,
        book: describeBook(live),
        exposure: positions.isRead() ? exposureBySeries(own, live) : null,
        recentAuctions: [...auctions],
      }
    },
    tokenOf: (poolId) => tokens.get(poolId) ?? null,
    poolIds: () => [...curves.keys()],
  }
}
