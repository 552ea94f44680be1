import type { PoolRates } from '@firmquote/core'
import type { Hex } from 'viem'
import { type Halts as HaltIndex, haltRejection, type Market, publicHalt } from '../../domain/controls/halts.ts'
import type { Store } from '../../ports/store.ts'
import type { ControlPlane } from './controls.ts'

type HaltRejection = ReturnType<typeof haltRejection>

/** The halts now in force. */
export type Halts = {
  /** Why a new RFQ is refused; null if it is not halted. */
  rfqRejection(market: Market): HaltRejection | null
  /** Why a new published quote is refused; null if its market is not halted. */
  quoteRejection(market: Market): HaltRejection | null
  /** The series that are halted, or whose pools are. */
  series(): Promise<ReadonlySet<Hex>>
}

const none: ReadonlySet<Hex> = new Set()

/** Creates {@link Halts}. */
export function createHalts(controls: Pick<ControlPlane, 'current'>, store: Pick<Store, 'listSeries'>): Halts {
  const refuse = (halt: HaltIndex['ofRfqs']) => halt && haltRejection(halt)
  return {
    rfqRejection(market) {
      const { halts } = controls.current()
      return refuse(halts.ofRfqs ?? halts.ofMarket(market))
    },
    quoteRejection: (market) => refuse(controls.current().halts.ofMarket(market)),
    async series() {
      const { halts } = controls.current()
      if (halts.all.every(({ scope }) => scope === 'rfqs')) return none
      const halted = (await store.listSeries()).filter((one) => halts.ofMarket(one) !== null)
      return new Set(halted.map(({ seriesKey }) => seriesKey))
    },
  }
}

/** Adds the halts in force to series, and removes the offers of halted markets. Pure. */
export function withHalts(pools: readonly PoolRates[], halts: HaltIndex): PoolRates[] {
  if (halts.all.length === 0) return [...pools]
  return pools.map((pool) => ({
    ...pool,
    series: pool.series.map((series) => {
      const ofMarket = halts.ofMarket({ poolId: pool.poolId, seriesKey: series.seriesKey })
      const halt = halts.ofRfqs ?? ofMarket
      return { ...(ofMarket ? withoutOffers(series) : series), ...(halt && { halted: publicHalt(halt) }) }
    }),
  }))
}

type SeriesRates = PoolRates['series'][number]

function withoutOffers({ bestApr: _apr, bestEffectiveApy: _apy, ...series }: SeriesRates): SeriesRates {
  return { ...series, depth: { quotes: 0, notional: 0n } }
}
