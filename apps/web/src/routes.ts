import { type Address, type Hex, isHex } from 'viem'

// Routes live in the fragment: what stands there, an auction's id among it, never reaches a server or its log.

/** The pages of the navigation. */
export const pages = [
  { path: '/', title: 'Borrow' },
  { path: '/curve', title: 'Yield curve' },
  { path: '/auction', title: 'Auction' },
  { path: '/history', title: 'History' },
] as const

/** What an auction's form can be opened with. */
export type AuctionDraft = {
  poolId?: Hex
  seriesKey?: Hex
  /** Raw units. */
  notional?: bigint
}

/** Where to ask for quotes. */
export function auctionFormHref({ poolId, seriesKey, notional }: AuctionDraft = {}): string {
  const query = new URLSearchParams()
  if (poolId !== undefined) query.set('pool', poolId)
  if (seriesKey !== undefined) query.set('series', seriesKey)
  if (notional !== undefined) query.set('notional', notional.toString())
  const text = query.toString()
  return text === '' ? '#/auction' : `#/auction?${text}`
}

/** Reads the query of {@link auctionFormHref}. What makes no sense is left out: an address may come from anywhere. */
export function parseAuctionDraft(search: string): AuctionDraft {
  const query = new URLSearchParams(search)
  const [poolId, seriesKey, notional] = [query.get('pool'), query.get('series'), query.get('notional')]
  return {
    ...(isBytes32(poolId) && { poolId }),
    ...(isBytes32(seriesKey) && { seriesKey }),
    ...(notional !== null && /^[1-9][0-9]{0,77}$/.test(notional) && { notional: BigInt(notional) }),
  }
}

function isBytes32(text: string | null): text is Hex {
  return isHex(text) && text.length === 66
}

/** What the yield curve can be opened with. */
export type CurveAddress = {
  poolId?: Hex
  /** Raw units. */
  size?: bigint
  /** Firm quotes alone. */
  firmOnly?: boolean
}

/** The yield curve of one pool, for one size. */
export function curveHref({ poolId, size, firmOnly }: CurveAddress = {}): string {
  const query = new URLSearchParams()
  if (poolId !== undefined) query.set('pool', poolId)
  if (size !== undefined) query.set('size', size.toString())
  if (firmOnly) query.set('show', 'firm')
  const text = query.toString()
  return text === '' ? '#/curve' : `#/curve?${text}`
}

/** An auction under way, or its result. */
export function auctionHref(rfqId: string): string {
  return `#/auction/${rfqId}`
}

/** The acceptance of one of an auction's quotes. */
export function acceptHref(rfqId: string, hash: Hex): string {
  return `#/auction/${rfqId}/${hash}`
}

/** The acceptance of a published quote. */
export function quoteHref(hash: Hex): string {
  return `#/quote/${hash}`
}

/** What of the history is shown; without any of these all of it. */
export type HistoryFilters = {
  poolId?: Hex
  /** Maturity, Unix seconds. */
  expiry?: number
  maker?: Address
  /** Only quotes that could still be executed. */
  executable?: true
}

/** What auctions have seen lately. */
export function historyHref({ poolId, expiry, maker, executable }: HistoryFilters = {}): string {
  const query = new URLSearchParams()
  if (poolId !== undefined) query.set('pool', poolId)
  if (expiry !== undefined) query.set('maturity', expiry.toString())
  if (maker !== undefined) query.set('maker', maker)
  if (executable) query.set('executable', 'only')
  const text = query.toString()
  return text === '' ? '#/history' : `#/history?${text}`
}
