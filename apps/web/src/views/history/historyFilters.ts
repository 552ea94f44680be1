import type { RFQObservation } from '@firmquote/sdk'
import { type Address, getAddress, type Hex, isAddress, isAddressEqual, isHex, size } from 'viem'
import type { HistoryFilters } from '../../routes.ts'
import type { Pool } from '../../service/serviceContext.ts'

/** Reads filters as `historyHref` has written them. What cannot be read filters nothing. */
export function parseFilters(query: URLSearchParams): HistoryFilters {
  const poolId = query.get('pool') ?? ''
  const maker = query.get('maker') ?? ''
  const maturity = query.get('maturity') ?? ''
  return {
    ...(isHex(poolId) && size(poolId) === 32 && { poolId: poolId.toLowerCase() as Hex }),
    ...(/^[1-9][0-9]{0,11}$/.test(maturity) && { expiry: Number(maturity) }),
    ...(isAddress(maker, { strict: false }) && { maker: getAddress(maker) }),
    ...(query.get('executable') === 'only' && { executable: true }),
  }
}

/** Whether anything is left out at all. */
export function isFiltered(filters: HistoryFilters): boolean {
  return Object.keys(filters).length > 0
}

/** What the service can leave out by itself, so that the rest reaches further back. */
export function serviceFilters(
  { poolId, expiry }: HistoryFilters,
  pools: readonly Pool[],
): { poolId?: Hex; seriesKey?: Hex } {
  if (poolId === undefined) return {}
  const series = pools.find((pool) => pool.poolId === poolId)?.series.find((known) => known.expiry === expiry)
  return { poolId, ...(series && { seriesKey: series.seriesKey }) }
}

/** Picks what the filters let through, newest first. */
export function pickObservations(seen: readonly RFQObservation[], filters: HistoryFilters): RFQObservation[] {
  const { poolId, expiry, maker, executable } = filters
  return seen
    .filter((row) => poolId === undefined || row.poolId === poolId)
    .filter((row) => expiry === undefined || row.expiry === expiry)
    .filter((row) => maker === undefined || isAddressEqual(row.maker, maker))
    .filter((row) => !executable || row.executable)
    .toSorted((a, b) => b.observedAt - a.observedAt)
}

/** What can be chosen: everything that has been seen, what the pools still offer, and what is chosen already. */
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
