import { positionPayout } from '@firmquote/core'
import type { Address, Hex } from 'viem'

/** A fixed-rate position of the maker at one block, as the pool contract has it. Amounts in raw units of the loan token. */
export type MakerPosition = {
  positionId: bigint
  borrower: Address
  poolId: Hex
  seriesKey: Hex
  loanToken: Address
  /** Unix seconds. */
  expiry: number
  settled: boolean
  notional: bigint
  /** What the borrower has paid. */
  cost: bigint
  /** The market's index at its opening, RAY. */
  indexAtOpen: bigint
  /** The index that it is settled with; before the expiry, and the series' checkpoint, the market's index at the block. RAY. */
  index: bigint
}

/** A loan token, for people. */
export type ReportedToken = { address: Address; symbol: string; decimals: number }

/** All that a report is made of, read at one block. */
export type PositionReadings = {
  maker: Address
  chainId: number
  block: { number: bigint; timestamp: bigint }
  tokens: readonly ReportedToken[]
  positions: readonly MakerPosition[]
}

/** What positions come to. Raw units of one loan token. */
export type Figures = {
  notional: bigint
  /** What the borrowers have paid. */
  premium: bigint
  /** The floating interest: what borrowers got of settled positions, and what they would get of others by now. */
  floating: bigint
  /** Premium less floating. */
  pnl: bigint
}

/** `settleable`: its expiry has passed, and nobody has settled it yet. */
export type PositionState = 'open' | 'settleable' | 'settled'

export type ReportedPosition = Pick<
  MakerPosition,
  'positionId' | 'borrower' | 'poolId' | 'seriesKey' | 'loanToken' | 'expiry'
> &
  Figures & { state: PositionState }

/** Several positions together. */
export type Total = Figures & { positions: number }

/** What a maker holds, has earned and has paid, at one block. */
export type PositionReport = Omit<PositionReadings, 'positions'> & {
  /** In the order of their ids. */
  positions: ReportedPosition[]
  /** The positions of each series that are not settled, the soonest expiry first. */
  exposure: (Pick<MakerPosition, 'seriesKey' | 'poolId' | 'loanToken' | 'expiry'> & Total)[]
  /** By loan token. `unsettled` and `settled` add up to `all`. */
  totals: { loanToken: Address; unsettled: Total; settled: Total; all: Total }[]
}

/** Computes a report. Pure and exact: every sum is of whole raw units. */
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
  const { positionId, borrower, poolId, seriesKey, loanToken, expiry, notional, cost, indexAtOpen, index } = position
  const { toBorrower: floating } = positionPayout({ notional, cost, indexAtOpen }, index)
  const state = position.settled ? 'settled' : BigInt(expiry) <= now ? 'settleable' : 'open'
  const figures = { notional, premium: cost, floating, pnl: cost - floating }
  return { positionId, state, borrower, poolId, seriesKey, loanToken, expiry, ...figures }
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
