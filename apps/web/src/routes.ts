import { type Address, type Hex, isHex } from 'viem'

// Routes are in the fragment, so that auction ids and other private data never reach a server or its logs.

/**
 * Pages in the navigation. Their titles are in `copy`. In a narrow header, the last page is linked only in the footer.
 */
export const pages = [
  { path: '/', name: 'borrow' },
  { path: '/positions', name: 'positions' },
  { path: '/markets', name: 'markets' },
  { path: '/curve', name: 'curve' },
  { path: '/history', name: 'history' },
  { path: '/how', name: 'how' },
] as const

/** Returns the address of "How it works". */
export function howHref(): string {
  return '#/how'
}

/** Initial values of the card on the home view that fixes an amount. */
export type AuctionDraft = {
  poolId?: Hex
  seriesKey?: Hex
  /** Raw units. */
  notional?: bigint
  /** Maximum cost of the notional, in raw units. */
  limit?: bigint
}

/** Returns the address of the home view with its card filled in. */
export function fixHref({ poolId, seriesKey, notional, limit }: AuctionDraft = {}): string {
  const query = new URLSearchParams()
  if (poolId !== undefined) query.set('pool', poolId)
  if (seriesKey !== undefined) query.set('series', seriesKey)
  if (notional !== undefined) query.set('notional', notional.toString())
  if (limit !== undefined) query.set('limit', limit.toString())
  const text = query.toString()
  return text === '' ? '#/' : `#/?${text}`
}

/** Parses the query of an {@link AuctionDraft}. Invalid values are ignored because the address is untrusted. */
export function parseAuctionDraft(search: string): AuctionDraft {
  const query = new URLSearchParams(search)
  const [poolId, seriesKey] = [query.get('pool'), query.get('series')]
  const [notional, limit] = [query.get('notional'), query.get('limit')]
  return {
    ...(isBytes32(poolId) && { poolId }),
    ...(isBytes32(seriesKey) && { seriesKey }),
    ...(isPositive(notional) && { notional: BigInt(notional) }),
    ...(isPositive(limit) && { limit: BigInt(limit) }),
  }
}

function isPositive(text: string | null): text is string {
  return text !== null && /^[1-9][0-9]{0,77}$/.test(text)
}

function isBytes32(text: string | null): text is Hex {
  return isHex(text) && text.length === 66
}

/** The markets' size and order. */
export type MarketsAddress = {
  /** Raw units of the first market's loan token. */
  size?: bigint
  /** The column by which the terms are sorted. */
  by?: string
  descending?: boolean
}

/** Returns the address of the markets. */
export function marketsHref({ size, by, descending }: MarketsAddress = {}): string {
  const query = new URLSearchParams()
  if (size !== undefined) query.set('size', size.toString())
  if (by !== undefined) query.set('sort', by)
  if (descending) query.set('order', 'descending')
  const text = query.toString()
  return text === '' ? '#/markets' : `#/markets?${text}`
}

/** Parses a query built by {@link marketsHref}. Ignores invalid values. */
export function parseMarketsAddress(search: string): MarketsAddress {
  const query = new URLSearchParams(search)
  const [size, by] = [query.get('size'), query.get('sort')]
  return {
    ...(isPositive(size) && { size: BigInt(size) }),
    ...(by !== null && { by }),
    ...(query.get('order') === 'descending' && { descending: true }),
  }
}

/** Initial values of the yield curve. */
export type CurveAddress = {
  poolId?: Hex
  /** Raw units. */
  size?: bigint
  /** Whether to show only firm quotes. */
  firmOnly?: boolean
  /** The selected term. */
  seriesKey?: Hex
}

/** Returns the address of a pool's yield curve for one size. */
export function curveHref({ poolId, size, firmOnly, seriesKey }: CurveAddress = {}): string {
  const query = new URLSearchParams()
  if (poolId !== undefined) query.set('pool', poolId)
  if (size !== undefined) query.set('size', size.toString())
  if (firmOnly) query.set('show', 'firm')
  if (seriesKey !== undefined) query.set('series', seriesKey)
  const text = query.toString()
  return text === '' ? '#/curve' : `#/curve?${text}`
}

/** Returns the address of an open or closed auction. */
export function auctionHref(rfqId: string): string {
  return `#/auction/${rfqId}`
}

/**
 * Returns the address of the page for accepting an auction's quote.
 *
 * @param together Quotes to take with one press, including this one. Each may be for less than the requested amount.
 */
export function acceptHref(rfqId: string, hash: Hex, together: readonly Hex[] = []): string {
  return togetherHref(`#/auction/${rfqId}/${hash}`, together)
}

function togetherHref(href: string, together: readonly Hex[]): string {
  return together.length === 0 ? href : `${href}?together=${together.join(',')}`
}

/** Parses the query of {@link acceptHref} or {@link quoteHref}. Ignores invalid hashes. */
export function parseTogether(search: string): Hex[] {
  return (new URLSearchParams(search).get('together') ?? '').split(',').filter(isBytes32)
}

/**
 * Returns the address of the page for accepting a published quote.
 *
 * @param together Published quotes of one term to take with one press, including this one.
 */
export function quoteHref(hash: Hex, together: readonly Hex[] = []): string {
  return togetherHref(`#/quote/${hash}`, together)
}

/** Returns the address of a maker's quotes and fills. */
export function makerHref(maker: Address): string {
  return `#/maker/${maker}`
}

/** Filters for the history. All are optional. */
export type HistoryFilters = {
  poolId?: Hex
  /** Maturity, Unix seconds. */
  expiry?: number
  maker?: Address
  /** Whether to show only quotes that can still be executed. */
  executable?: true
  /** Whether to show only quotes for the connected account. */
  mine?: true
  /** Show only this many days. */
  days?: HistoryDays
}

/** Time ranges for the history, in days. The last range is the default. */
export const historyDays = [7, 30, 91, 365] as const
export type HistoryDays = (typeof historyDays)[number]

/** Returns the address of recent auction observations. */
export function historyHref({ poolId, expiry, maker, executable, mine, days }: HistoryFilters = {}): string {
  const query = new URLSearchParams()
  if (poolId !== undefined) query.set('pool', poolId)
  if (expiry !== undefined) query.set('maturity', expiry.toString())
  if (maker !== undefined) query.set('maker', maker)
  if (executable) query.set('executable', 'only')
  if (mine) query.set('mine', 'only')
  if (days !== undefined) query.set('days', days.toString())
  const text = query.toString()
  return text === '' ? '#/history' : `#/history?${text}`
}

/** Address of the contracts. */
export const contractsHref = '#/contracts'

/** Address of the service's status. */
export const statusHref = '#/status'

/** Address of the page that checks proofs. */
export const proofsHref = '#/proofs'

/** Address of the account's matured, active and settled positions. */
export const positionsHref = '#/positions'

/** Returns the address of an account's position. */
export function positionHref(positionId: bigint): string {
  return `#/position/${positionId}`
}

/** Parses a position's id. Returns null if the id is invalid. */
export function parsePositionId(text: string): bigint | null {
  return isPositive(text) ? BigInt(text) : null
}
