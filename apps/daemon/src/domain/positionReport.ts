import { quoteApr, quoteEffectiveApy } from '@firmquote/core'
import { positionPayout } from '@firmquote/core/chain'
import type { Address, Hex } from 'viem'

/**
 * One of the maker's positions as of a given block, read from the pool contract. Amounts are in raw units of the loan
 * token.
 */
export type MakerPosition = {
  positionId: bigint
  borrower: Address
  poolId: Hex
  seriesKey: Hex
  loanToken: Address
  /** Unix seconds. */
  openedAt: number
  /** Unix seconds. */
  expiry: number
  settled: boolean
  notional: bigint
  /** Amount paid by the borrower. */
  cost: bigint
  /** The market's index when the position was opened, in RAY. */
  indexAtOpen: bigint
  /** Settlement index or, before expiry, the market's index at the block, in RAY. */
  index: bigint
}

/** A loan token's display data. */
export type ReportedToken = { address: Address; symbol: string; decimals: number }

/** Input for a report, read as of a single block. */
export type PositionReadings = {
  maker: Address
  chainId: number
  block: { number: bigint; timestamp: bigint }
  tokens: readonly ReportedToken[]
  positions: readonly MakerPosition[]
}

/** Sums over positions, in raw units of one loan token. */
export type Figures = {
  notional: bigint
  /** Premium paid by the borrowers. */
  premium: bigint
  /** Floating interest: paid to borrowers of settled positions, and accrued so far on unsettled ones. */
  floating: bigint
  /** Premium minus floating interest, in cash: without interest on the premium. */
  pnl: bigint
}

/** `settleable`: the position has expired but is not settled yet. */
export type PositionState = 'open' | 'settleable' | 'settled'

export type ReportedPosition = Pick<
  MakerPosition,
  'positionId' | 'borrower' | 'poolId' | 'seriesKey' | 'loanToken' | 'openedAt' | 'expiry'
> &
  Figures & {
    state: PositionState
    /** The fixed rate when the position was opened: simple, in percent. */
    apr: number
    /** The same rate as effective APY, or null if there is none. See `quoteEffectiveApy`. */
    effectiveApy: number | null
  }

/** Sums over several positions. */
export type Total = Figures & { positions: number }

/** A maker's positions, gains and losses as of a single block. */
export type PositionReport = Omit<PositionReadings, 'positions'> & {
  /** In ascending order of id. */
  positions: ReportedPosition[]
  /** Unsettled positions by series, earliest expiry first. */
  exposure: (Pick<MakerPosition, 'seriesKey' | 'poolId' | 'loanToken' | 'expiry'> & Total)[]
  /** Totals per loan token. `unsettled` and `settled` add up to `all`. */
  totals: { loanToken: Address; unsettled: Total; settled: Total; all: Total }[]
}

/** Computes a report. Pure and exact: all sums are in raw units. */
export function createReport({ positions, ...readings }: PositionReadings): PositionReport {
  const reported = positions
    .map((position) => reportPosition(position, readings.block.timestamp))
    .sort((a, b) => compare(a.positionId, b.positionId))
  const unsettled = reported.filter(({ state }) => state !== 'settled')
  const settled = reported.filter(({ state }) => state === 'settled')
  const ofToken = (some: readonly ReportedPosition[], token: Address) =>
    add(some.filter(({ loanToken }) => loanToken === token))
  return {
    ...readings,
    positions: reported,
    exposure: [...new Set(unsettled.map(({ seriesKey }) => seriesKey))]
      .flatMap((key) => {
        const some = unsettled.filter(({ seriesKey }) => seriesKey === key)
        const [first] = some
        if (!first) return []
        const { seriesKey, poolId, loanToken, expiry } = first
        return [{ seriesKey, poolId, loanToken, expiry, ...add(some) }]
      })
      .sort((a, b) => a.expiry - b.expiry),
    totals: [...new Set(reported.map(({ loanToken }) => loanToken))].map((loanToken) => ({
      loanToken,
      unsettled: ofToken(unsettled, loanToken),
      settled: ofToken(settled, loanToken),
      all: ofToken(reported, loanToken),
    })),
  }
}

function reportPosition(position: MakerPosition, now: bigint): ReportedPosition {
  const { positionId, borrower, poolId, seriesKey, loanToken, openedAt, expiry } = position
  const { notional, cost, indexAtOpen, index } = position
  const { toBorrower: floating } = positionPayout({ notional, cost, indexAtOpen }, index)
  const state = position.settled ? 'settled' : BigInt(expiry) <= now ? 'settleable' : 'open'
  const figures = { notional, premium: cost, floating, pnl: cost - floating }
  const price = { notional, vrtAmount: cost }
  const rates = { apr: quoteApr(price, expiry, openedAt), effectiveApy: quoteEffectiveApy(price, expiry, openedAt) }
  return { positionId, state, borrower, poolId, seriesKey, loanToken, openedAt, expiry, ...figures, ...rates }
}

function add(some: readonly Figures[]): Total {
  const total = { positions: some.length, notional: 0n, premium: 0n, floating: 0n, pnl: 0n }
  for (const { notional, premium, floating, pnl } of some) {
    total.notional += notional
    total.premium += premium
    total.floating += floating
    total.pnl += pnl
  }
  return total
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
