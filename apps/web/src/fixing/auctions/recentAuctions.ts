import type { BrowserStorage } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import { type Hex, isHex } from 'viem'

/**
 * An auction opened in this tab. Amounts are in raw units, times are in Unix milliseconds, and `expiry` is in Unix
 * seconds.
 */
export type RecentAuction = {
  rfqId: string
  poolId: Hex
  seriesKey: Hex
  expiry: number
  notional: bigint
  openedAt: number
}

const key = 'firmquote.auctions'
const mostKept = 5

/** Adds an auction's terms, but not its quotes, to the front of the list of recent auctions. */
export function rememberAuction(storage: BrowserStorage, auction: RFQResult): void {
  const { rfqId, poolId, seriesKey, expiry, notional, openedAt } = auction
  const others = loadRecentAuctions(storage).filter((known) => known.rfqId !== rfqId)
  const all = [{ rfqId, poolId, seriesKey, expiry, notional, openedAt }, ...others].slice(0, mostKept)
  storage.setItem(key, JSON.stringify(all.map((known) => ({ ...known, notional: known.notional.toString() }))))
}

/** Loads the recent auctions. Skips invalid entries. */
export function loadRecentAuctions(storage: BrowserStorage): RecentAuction[] {
  try {
    const all: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(all) ? all.flatMap(decode) : []
  } catch {
    return []
  }
}

function decode(value: unknown): RecentAuction[] {
  const { rfqId, poolId, seriesKey, expiry, notional, openedAt } = value as { [Key in keyof RecentAuction]: unknown }
  const sound =
    typeof rfqId === 'string' &&
    isHex(poolId) &&
    isHex(seriesKey) &&
    typeof expiry === 'number' &&
    typeof openedAt === 'number' &&
    typeof notional === 'string' &&
    /^[0-9]{1,78}$/.test(notional)
  return sound ? [{ rfqId, poolId, seriesKey, expiry, openedAt, notional: BigInt(notional) }] : []
}
