import type { Pool } from '@firmquote/react'
import type { RFQObservation } from '@firmquote/sdk'
import { type Address, getAddress, type Hex, isAddress, isAddressEqual, isHex, size } from 'viem'
import { type HistoryFilters, historyDays } from '../../routes.ts'

/** Parses filters written by `historyHref`. Ignores invalid ones. */
export function parseFilters(query: URLSearchParams): HistoryFilters {
  const poolId = query.get('pool') ?? ''
  const maker = query.get('maker') ?? ''
  const maturity = query.get('maturity') ?? ''
  const days = historyDays.find((known) => known.toString() === query.get('days'))
  return {
    ...(isHex(poolId) && size(poolId) === 32 && { poolId: poolId.toLowerCase() as Hex }),
    ...(/^[1-9][0-9]{0,11}$/.test(maturity) && { expiry: Number(maturity) }),
    ...(isAddress(maker, { strict: false }) && { maker: getAddress(maker) }),
    ...(query.get('executable') === 'only' && { executable: true }),
    ...(query.get('mine') === 'only' && { mine: true }),
    ...(days !== undefined && { days }),
  }
}

/** Whether any filter is set. */
export function isFiltered(filters: HistoryFilters): boolean {
  return Object.keys(filters).length > 0
}

/** Returns the number of days to show. Defaults to a year. */
export function daysOf({ days = 365 }: HistoryFilters): number {
  return days
}

/** Returns the filters that the service can apply, so that its limited result reaches further back. */
export function serviceFilters(
  { poolId, expiry }: HistoryFilters,
  pools: readonly Pool[],
): { poolId?: Hex; seriesKey?: Hex } {
  if (poolId === undefined) return {}
  const series = pools.find((pool) => pool.poolId === poolId)?.series.find((known) => known.expiry === expiry)
  return { poolId, ...(series && { seriesKey: series.seriesKey }) }
}

/**
 * Applies all filters except `mine`, which {@link pickMine} applies. Returns the newest first.
 *
 * @param now Unix milliseconds.
 */
export function pickObservations(
  seen: readonly RFQObservation[],
  filters: HistoryFilters,
  now: number,
): RFQObservation[] {
  const { poolId, expiry, maker, executable } = filters
  const from = now - daysOf(filters) * 86_400_000
  return seen
    .filter((row) => row.observedAt >= from)
    .filter((row) => poolId === undefined || row.poolId === poolId)
    .filter((row) => expiry === undefined || row.expiry === expiry)
    .filter((row) => maker === undefined || isAddressEqual(row.maker, maker))
    .filter((row) => !executable || row.executable)
    .toSorted((a, b) => b.observedAt - a.observedAt)
}

/** Picks offers signed only for the given account. Omits offers with an unknown taker. */
export function pickMine(
  rows: readonly RFQObservation[],
  takers: ReadonlyMap<Hex, Address>,
  account: Address,
): RFQObservation[] {
  return rows.filter(({ hash }) => {
    const taker = takers.get(hash)
    return taker !== undefined && isAddressEqual(taker, account)
  })
}

/** Returns the pool whose rates to show: the filtered one, else the maturity's, else the first. */
export function poolOf(pools: readonly Pool[], { poolId, expiry }: HistoryFilters): Pool | undefined {
  return (
    pools.find((pool) => pool.poolId === poolId) ??
    pools.find(({ series }) => series.some((known) => known.expiry === expiry)) ??
    pools[0]
  )
}

/** Lists the filter options: all observed values, the pools' current series, and the current selection. */
export function listChoices(
  seen: readonly RFQObservation[],
  pools: readonly Pool[],
  filters: HistoryFilters,
): { expiries: number[]; makers: Address[] } {
  const within = pools.filter(({ poolId }) => filters.poolId === undefined || poolId === filters.poolId)
  const expiries = new Set([
    ...within.flatMap(({ series }) => series.map(({ expiry }) => expiry)),
    ...seen.map(({ expiry }) => expiry),
    ...(filters.expiry === undefined ? [] : [filters.expiry]),
  ])
  const makers = new Set([
    ...seen.map(({ maker }) => getAddress(maker)),
    ...(filters.maker === undefined ? [] : [filters.maker]),
  ])
  return { expiries: [...expiries].sort((a, b) => a - b), makers: [...makers].sort() }
}
