import { type Address, type Hex, isHex } from 'viem'

// Routes live in the fragment: what stands there, an auction's id among it, never reaches a server or its log.

/** The pages of the navigation; the catalogue has their titles. Where all have to stand in one line, the last is left to the footer. */
export const pages = [
  { path: '/', name: 'borrow' },
  { path: '/positions', name: 'positions' },
  { path: '/markets', name: 'markets' },
  { path: '/curve', name: 'curve' },
  { path: '/auction', name: 'auction' },
  { path: '/history', name: 'history' },
  { path: '/how', name: 'how' },
] as const

/** How it works; `part` is the id of the part that it starts at. */
export function howHref(part?: 'contracts'): string {
  return part === undefined ? '#/how' : `#/how?part=${part}`
}

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
  /** The term that is looked at. */
  seriesKey?: Hex
}

/** The yield curve of one pool, for one size. */
export function curveHref({ poolId, size, firmOnly, seriesKey }: CurveAddress = {}): string {
  const query = new URLSearchParams()
  if (poolId !== undefined) query.set('pool', poolId)
  if (size !== undefined) query.set('size', size.toString())
  if (firmOnly) query.set('show', 'firm')
  if (seriesKey !== undefined) query.set('series', seriesKey)
  const text = query.toString()
  return text === '' ? '#/curve' : `#/curve?${text}`
}

/** An auction under way, or its result. */
export function auctionHref(rfqId: string): string {
  return `#/auction/${rfqId}`
}

/**
 * The acceptance of one of an auction's quotes.
 *
 * @param together the quotes that are taken one after the other, it among them: then less than was asked for is fine.
 */
export function acceptHref(rfqId: string, hash: Hex, together: readonly Hex[] = []): string {
  const href = `#/auction/${rfqId}/${hash}`
  return together.length === 0 ? href : `${href}?together=${together.join(',')}`
}

/** Reads the query of {@link acceptHref}. What is no hash is left out. */
export function parseTogether(search: string): Hex[] {
  return (new URLSearchParams(search).get('together') ?? '').split(',').filter(isBytes32)
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
  /** Only those for the connected account. */
  mine?: true
  /** Of so many last days. */
  days?: HistoryDays
}

/** The ranges of time that the history can show; the last one without being asked. */
export const historyDays = [7, 30, 91, 365] as const
export type HistoryDays = (typeof historyDays)[number]

/** What auctions have seen lately. */
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

/** The account's positions: matured, running, settled. */
export const positionsHref = '#/positions'

/** One position of the account. */
export function positionHref(positionId: bigint): string {
  return `#/position/${positionId}`
}

/** Reads the number of a position in an address; null for what is none. */
export function parsePositionId(text: string): bigint | null {
  return /^[1-9][0-9]{0,77}$/.test(text) ? BigInt(text) : null
}
