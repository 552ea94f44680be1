import type { Pool } from '@firmquote/react'
import type { RFQObservation } from '@firmquote/sdk'
import { type Address, getAddress, type Hex, isAddress, isAddressEqual, isHex, size } from 'viem'
import { type HistoryFilters, historyDays } from '../../routes.ts'

/** Reads filters as `historyHref` has written them. What cannot be read filters nothing. */
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

/** Whether anything is left out at all. */
export function isFiltered(filters: HistoryFilters): boolean {
  return Object.keys(filters).length > 0
}

/** How many days are shown: a year, where nothing is said. */
export function daysOf({ days = 365 }: HistoryFilters): number {
  return days
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

/**
 * Picks what the filters let through, newest first. Whose an offer is, it does not know: `mine` is left to {@link pickMine}.
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

/** Those that were signed for an account alone, as far as it is known whom they were signed for. */
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

/** The pool whose rates are shown: the one that is filtered by, else the one of the maturity, else the first. */
export function poolOf(pools: readonly Pool[], { poolId, expiry }: HistoryFilters): Pool | undefined {
  return (
    pools.find((pool) => pool.poolId === poolId) ??
    pools.find(({ series }) => series.some((known) => known.expiry === expiry)) ??
    pools[0]
  )
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
