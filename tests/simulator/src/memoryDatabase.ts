// The tables of the store port in memory. Every method of the port is one step here, so the file is as long as the port.

import { type BlockRef, serializeSignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { AcceptedQuote, AuctionClose, AuctionRecord } from '../../../apps/server/src/domain/auctionRecord.ts'
import { statusToTell } from '../../../apps/server/src/domain/statusToTell.ts'
import type { ChainEvent, Pool, Series } from '../../../apps/server/src/ports/chain.ts'
import { CursorMovedError, StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import {
  type AuctionKey,
  type ChainUndoing,
  type ChainUpdate,
  keyLifetimeMs,
  type ListedRecord,
  type NewAuction,
  type NewAuctionQuote,
  type NewClose,
  type NewQuote,
  type QuoteRecord,
  type Store,
  type SyncedBlock,
  statusesKept,
  type ToldStatus,
} from '../../../apps/server/src/ports/store.ts'
import type { HasDefect } from './defects.ts'
import { nextStatement, runAtOnce, type Statement, type Transaction } from './simTransactions.ts'

/** The row that a move of the cursor locks. */
const syncLock = 'sync'

/** What no history calls. */
type NotCalled =
  | ('close' | 'ping' | 'probe' | 'integrity' | 'size' | 'claim')
  | ('addRatePoints' | 'listRatePoints' | 'listRateHours' | 'listFixedPoints' | 'listOffers' | 'listPublishedQuotes')
  | (
      | 'listMakerQuotes'
      | 'listMakerAuctions'
      | 'listLargestFills'
      | 'listPositions'
      | 'listOpenPositions'
      | 'countTaker'
    )

/** What is committed. Each call is one transaction, done when it returns. */
export type MemoryDatabase = {
  [Method in Exclude<keyof Store, NotCalled>]: (
    ...given: Parameters<Store[Method]>
  ) => Awaited<ReturnType<Store[Method]>>
} & {
  /** All quotes, in the order of their coming. */
  quotes(): QuoteRecord[]
  /** Loses the newest row of each open auction, as a disk does that was not flushed. */
  loseNewest?(): void
  /** The same writes statement by statement, where several connections share the database. */
  transactions?: MemoryTransactions
}

/** Writes that meet others on a row. */
export type MemoryTransactions = {
  [Method in 'openAuction' | 'acceptQuote' | 'closeAuction' | 'applyBlocks' | 'rollBack']: (
    ...given: Parameters<Store[Method]>
  ) => Transaction<Awaited<ReturnType<Store[Method]>>>
}

type QuoteRow = NewQuote & {
  order: number
  status: QuoteRecord['status']
  listed: boolean
  seenAt?: NonNullable<QuoteRecord['seenAt']>
  /** Whether the last that its maker was told of it is an end. */
  told: boolean
}

/** What a maker was told of a quote. */
type StatusRow = ToldStatus & { maker: Address; unsettled: boolean }

type AuctionRow = Omit<AuctionRecord, 'quotes' | 'close'> & {
  key: AuctionKey | null
  quotes: AcceptedQuote[]
  close: AuctionClose | null
}

/**
 * Creates an empty database.
 *
 * @param ownClock the time that auctions go by, Unix milliseconds, where several machines share the database; by default
 * what the caller says.
 */
export function createMemoryDatabase(ownClock?: () => number, has: HasDefect = () => false): MemoryDatabase {
  const quotes = new Map<Hex, QuoteRow>()
  const auctions = new Map<string, AuctionRow>()
  const byPublicId = new Map<string, AuctionRow>()
  const keys = new Map<Hex, string[]>()
  const observed: { auction: AuctionRow; quote: AcceptedQuote }[] = []
  let cursor: BlockRef | null = null
  let blocks: SyncedBlock[] = []
  let events: ChainEvent[] = []
  const told: StatusRow[] = []
  let lease: { holder: string; until: number } | null = null

  /** False when it was done, and its caller has not heard so. */
  const goesOn = (from: SyncedBlock | null, to: SyncedBlock | null): boolean => {
    const isAt = (block: SyncedBlock | null) => cursor?.number === block?.number && cursor?.hash === block?.hash
    if (isAt(from) || has('cursor without compare-and-set')) return true
    if (isAt(to)) return false
    throw new CursorMovedError('The synced events go on from another block than those in the store.')
  }

  const seriesExpiry = (key: Hex): number | undefined => {
    for (const { fact } of events) if (fact.type === 'seriesCreated' && fact.seriesKey === key) return fact.expiry
    return undefined
  }

  const countQuotes = (maker: Address, now: bigint) =>
    [...quotes.values()].filter((row) => isShown(row, now) && same(row.quote.maker, maker)).length

  const ofMaker = (maker: Address) => told.filter((row) => same(row.maker, maker))

  const settle = (hash: Hex) => {
    for (const row of told) if (row.hash === hash) row.unsettled = false
  }

  const tell = (maker: Address, row: Omit<StatusRow, 'seq' | 'maker'>) => {
    settle(row.hash)
    told.push({ ...row, maker, seq: (ofMaker(maker).at(-1)?.seq ?? 0) + (has('status number reused') ? 0 : 1) })
  }

  /** The contract opens a position right before it says that the quote is filled. */
  const fillOf = (end: ChainEvent, maker: Address) => {
    const opened = events.findLast(
      ({ transactionHash, logIndex, fact }) =>
        transactionHash === end.transactionHash &&
        logIndex < end.logIndex &&
        fact.type === 'positionOpened' &&
        same(fact.maker, maker),
    )?.fact
    if (opened?.type !== 'positionOpened') return {}
    const { borrower: taker, notional, cost, positionId } = opened
    return { taker, notional, cost, positionId }
  }

  /** Lets quotes follow the events, and tells what has changed, in the order of the blocks. */
  const refreshAll = (rows: readonly QuoteRow[]) => {
    const changed = rows.flatMap((row) => {
      const before = JSON.stringify([row.status, row.seenAt?.blockHash, row.seenAt?.transactionHash])
      const event = refresh(row)
      return before === JSON.stringify([row.status, row.seenAt?.blockHash, row.seenAt?.transactionHash])
        ? []
        : [{ row, event }]
    })
    changed.sort((a, b) => Number((a.event?.blockNumber ?? 0n) - (b.event?.blockNumber ?? 0n)))
    for (const { row, event } of changed) {
      const isOver = row.quote.deadline < (cursor?.timestamp ?? 0n)
      const status = statusToTell({ status: row.status, told: row.told, isOver })
      if (status === null || (status === 'active' && has('reversal not told'))) continue
      row.told = status !== 'active'
      tell(row.quote.maker, {
        hash: row.hash,
        status,
        final: false,
        unsettled: row.told,
        block: Number(event?.blockNumber ?? cursor?.number ?? 0n),
        ...(event && { transactionHash: event.transactionHash }),
        ...(event && status === 'filled' && fillOf(event, row.quote.maker)),
      })
    }
  }

  /** Gives the event that has ended it. */
  const refresh = (row: QuoteRow): ChainEvent | undefined => {
    const ending = (matches: (fact: ChainEvent['fact']) => boolean) => events.find(({ fact }) => matches(fact))
    const ended = ending((fact) => fact.type === 'quoteEnded' && fact.hash === row.hash)
    const raised = ending(
      (fact) => fact.type === 'nonceRaised' && same(fact.maker, row.quote.maker) && fact.nonce > row.quote.nonce,
    )
    const event = ended ?? raised
    delete row.seenAt
    row.status = ended?.fact.type === 'quoteEnded' ? ended.fact.status : raised ? 'nonce_raised' : 'active'
    if (event) {
      const { blockNumber, blockHash, transactionHash } = event
      row.seenAt = { blockNumber, blockHash, transactionHash }
    }
    return event
  }

  const insert = (quote: NewQuote, listed: boolean): QuoteRow => {
    const { hash, apr, createdAt } = quote
    const kept = { hash, quote: quote.quote, apr, createdAt }
    const row: QuoteRow = { ...kept, order: quotes.size, status: 'active', listed, told: false }
    quotes.set(hash, row)
    refreshAll([row])
    return row
  }

  const recordOf = ({ order: _, told: __, ...row }: QuoteRow): QuoteRecord => {
    const expiry = seriesExpiry(row.quote.seriesKey)
    const isSecret =
      !row.listed && !observed.some(({ auction, quote }) => auction.close !== null && quote.hash === row.hash)
    return {
      ...row,
      ...(expiry !== undefined && { seriesExpiry: expiry }),
      ...(isSecret && { secret: true as const }),
    }
  }

  const isShown = (row: QuoteRow, now: bigint) => row.listed && row.status === 'active' && row.quote.deadline >= now

  const hasEnded = ({ quote }: QuoteRow, now: bigint) => {
    const expiry = seriesExpiry(quote.seriesKey)
    return expiry !== undefined && BigInt(expiry) <= now
  }

  const auctionOf = ({ rfq, publicRfqId, backers, quotes: rows, close }: AuctionRow, after = 0): AuctionRecord => ({
    rfq,
    publicRfqId,
    backers,
    quotes: rows.slice(after),
    close,
  })

  const findCheckpoint = (atMost: bigint): SyncedBlock | null => {
    const found = events.filter(({ blockNumber }) => blockNumber <= atMost)
    const newest = found.reduce<ChainEvent | null>(
      (best, event) => (best === null || event.blockNumber > best.blockNumber ? event : best),
      null,
    )
    return newest && { number: newest.blockNumber, hash: newest.blockHash }
  }

  const lock = (row: string): Statement => ({ locks: row })
  const now = (callers: number) => ownClock?.() ?? callers

  /** The statements of what meets other transactions on a row. */
  const transactions: MemoryTransactions = {
    *openAuction({ rfq, publicRfqId, backers, key }: NewAuction) {
      // Who inserts a key waits for who has inserted the same: its index is unique.
      yield lock(key === null ? rfq.rfqId : key.key)
      if (auctions.has(rfq.rfqId)) return { opened: true }
      if (key !== null) {
        const earlier = auctions.get(keys.get(key.key)?.at(-1) ?? '')
        if (earlier?.key && !has('key not unique') && rfq.openedAt - earlier.rfq.openedAt <= keyLifetimeMs) {
          return { opened: false, existing: { rfqId: earlier.rfq.rfqId, request: earlier.key.request } }
        }
      }
      yield nextStatement
      if (key !== null) keys.set(key.key, [...(keys.get(key.key) ?? []), rfq.rfqId])
      const row: AuctionRow = { rfq, publicRfqId, backers, key, quotes: [], close: null }
      auctions.set(rfq.rfqId, row)
      byPublicId.set(publicRfqId, row)
      return { opened: true }
    },

    *acceptQuote({ publicRfqId, ...quote }: NewAuctionQuote, at) {
      const auction = byPublicId.get(publicRfqId)
      if (!auction) return { status: 'unknown_auction' }
      yield lock(publicRfqId)
      const time = now(at)
      const known = auction.quotes.find(({ hash }) => hash === quote.hash)
      if (known) return { status: 'accepted', seq: known.seq, receivedAt: known.receivedAt }
      const closedAt = auction.close?.closedAt ?? (auction.rfq.closesAt <= time ? auction.rfq.closesAt : null)
      if (closedAt !== null && !has('late accept')) return { status: 'closed', closedAt }
      const seq = auction.quotes.length + (has('reused sequence number') ? 0 : 1)
      yield nextStatement
      const other = auction.quotes.find((accepted) => same(accepted.quote.maker, quote.quote.maker))
      if (other && !has('two quotes of a maker')) return { status: 'quoted', hash: other.hash }
      const accepted = { ...quote, seq, ...(has('arrivals lost') && { arrival: -seq }) }
      auction.quotes.push(accepted)
      observed.push({ auction, quote: accepted })
      if (!quotes.has(quote.hash)) insert({ ...quote, createdAt: quote.receivedAt }, false)
      return { status: 'accepted', seq, receivedAt: quote.receivedAt }
    },

    *closeAuction({ publicRfqId, at, rejectedCount, interrupted, knownCount = 0 }: NewClose) {
      const auction = byPublicId.get(publicRfqId)
      if (!auction) return null
      yield lock(publicRfqId)
      if (auction.close && !has('double close')) return { closedNow: false, auction: auctionOf(auction, knownCount) }
      const time = Math.floor(now(at))
      if (time < auction.rfq.closesAt && !has('early close')) return null
      // In a later statement than the lock's, which sees what was committed while the lock was waited for.
      yield nextStatement
      const found = auctionOf(auction, knownCount)
      if (has('close drops a quote')) found.quotes = found.quotes.slice(0, -1)
      auction.close = { closedAt: time, rejectedCount, interrupted: interrupted && !has('interruption not recorded') }
      return { closedNow: true, auction: { ...found, close: auction.close } }
    },

    *applyBlocks(update: ChainUpdate) {
      const { after } = update
      yield lock(syncLock)
      if (!goesOn(after, update.cursor)) return
      const places = new Set(events.map(placeOf))
      for (const event of update.events) {
        if (places.has(placeOf(event)) || isTwice(events, event)) {
          throw new StorageUnavailableError('An event is in the store already.')
        }
      }
      yield nextStatement
      events = [...events, ...update.events]
      cursor = update.cursor
      const oldest = update.cursor.number - BigInt(update.keep)
      blocks = [...blocks, ...update.blocks].filter(({ number }) => number > oldest)
      refreshAll([...quotes.values()].filter((row) => isTouched(row, update.events)))
    },

    *rollBack({ from, to }: ChainUndoing) {
      yield lock(syncLock)
      if (!goesOn(from, to)) return
      yield nextStatement
      const kept = to?.number ?? -1n
      const undone = events.filter(({ blockNumber }) => blockNumber > kept)
      events = events.filter(({ blockNumber }) => blockNumber <= kept)
      cursor = to
      refreshAll([...quotes.values()].filter((row) => isTouched(row, undone)))
      blocks = blocks.filter(({ number }) => number <= kept)
      if (to && !blocks.some(({ number }) => number === to.number)) blocks.push({ number: to.number, hash: to.hash })
    },
  }

  return {
    transactions,
    openAuction: (...given) => runAtOnce(transactions.openAuction(...given)),
    acceptQuote: (...given) => runAtOnce(transactions.acceptQuote(...given)),
    closeAuction: (...given) => runAtOnce(transactions.closeAuction(...given)),
    applyBlocks: (...given) => runAtOnce(transactions.applyBlocks(...given)),
    rollBack: (...given) => runAtOnce(transactions.rollBack(...given)),

    quotes: () => [...quotes.values()].map(recordOf),

    loseNewest() {
      for (const auction of auctions.values()) if (!auction.close) auction.quotes.pop()
    },

    insertQuote(quote, limit) {
      const found = quotes.get(quote.hash)
      if (found) return { created: false, record: recordOf(found) }
      const open = limit ? countQuotes(quote.quote.maker, limit.now) : 0
      if (limit && open >= limit.most) return { created: false, record: null, open }
      return { created: true, record: recordOf(insert(quote, true)) }
    },

    findQuote(hash) {
      const row = quotes.get(hash)
      return row ? recordOf(row) : null
    },

    // The newest, as many as are asked for: histories have no other lists.
    listQuotes({ limit = 50 }, now) {
      const shown = [...quotes.values()].filter((row) => isShown(row, now) && !hasEnded(row, now))
      const newest = shown.sort((a, b) => b.createdAt - a.createdAt || b.order - a.order).slice(0, limit)
      return { quotes: newest.map((row) => listedRecord(recordOf(row))), nextCursor: null }
    },

    countQuotes,

    listCommitments(makers, now) {
      const sums = new Map<string, { maker: Address; poolId: Hex; notional: bigint }>()
      for (const row of quotes.values()) {
        const { maker, poolId, notional } = row.quote
        if (!isShown(row, now) || hasEnded(row, now) || !makers.some((one) => same(one, maker))) continue
        const key = `${maker} ${poolId}`.toLowerCase()
        sums.set(key, { maker, poolId, notional: (sums.get(key)?.notional ?? 0n) + notional })
      }
      return [...sums.values()]
    },

    findAuctionByKey(key, since) {
      if (has('key not found')) return null
      const row = auctions.get(keys.get(key)?.at(-1) ?? '')
      return row?.key && row.rfq.openedAt >= since ? { rfqId: row.rfq.rfqId, request: row.key.request } : null
    },

    findAuction(id, knownCount) {
      const row = 'rfqId' in id ? auctions.get(id.rfqId) : byPublicId.get(id.publicRfqId)
      return row ? auctionOf(row, knownCount) : null
    },

    findAuctionEntry(publicRfqId, maker) {
      const row = byPublicId.get(publicRfqId)
      if (!row) return null
      const own = row.quotes.find(({ quote }) => same(quote.maker, maker))
      return {
        closesAt: row.rfq.closesAt,
        closedAt: row.close?.closedAt ?? null,
        accepted: own ? { hash: own.hash, receivedAt: own.receivedAt } : null,
      }
    },

    listOpenAuctions: () =>
      [...auctions.values()]
        .filter(({ close }) => close === null && !has('auction not resumed'))
        .sort((a, b) => a.rfq.closesAt - b.rfq.closesAt)
        .map(({ publicRfqId, quotes: accepted }) => ({
          publicRfqId,
          lastSeq: has('rows without a hint not read') ? 0 : accepted.length,
        })),

    listObservations: ({ poolId, seriesKey, limit = 50 }) =>
      observed
        .filter(({ auction }) => auction.close !== null || has('open auction observed'))
        .filter(({ quote: { quote } }) => poolId === undefined || quote.poolId === poolId)
        .filter(({ quote: { quote } }) => seriesKey === undefined || quote.seriesKey === seriesKey)
        .slice(-limit)
        .reverse()
        .map(({ auction, quote: { hash, quote, apr, receivedAt } }) => ({
          publicRfqId: auction.publicRfqId,
          hash,
          quote,
          apr,
          expiry: auction.rfq.expiry,
          observedAt: receivedAt,
        })),

    findSyncPosition: () => ({ cursor, blocks: [...blocks] }),

    holdLease(holder, milliseconds) {
      const time = ownClock?.() ?? 0
      const isOver = !lease || (lease.until <= time && !has('lease never ends'))
      if (lease?.holder !== holder && !isOver && !has('lease held by two')) return false
      lease = { holder, until: time + milliseconds }
      return true
    },

    findCheckpoint,

    finalize({ number, hash }) {
      const synced = findCheckpoint(number)
      if (synced?.number !== number || synced.hash !== hash) return
      const waiting = told.filter(
        ({ unsettled, block }) => unsettled && (block <= Number(number) || has('final too early')),
      )
      waiting.sort((a, b) => a.block - b.block)
      for (const { maker, seq: _, ...row } of waiting) tell(maker, { ...row, final: true, unsettled: false })
    },

    findUnsettledBlock() {
      const waiting = told.flatMap(({ unsettled, block }) => (unsettled ? [block] : []))
      return waiting.length === 0 ? null : BigInt(Math.min(...waiting))
    },

    listStatuses(maker, { after, limit }) {
      const all = ofMaker(maker).slice(-statusesKept.perMaker)
      const newest = all.at(-1)?.seq ?? 0
      const statuses = all.filter(({ seq }) => seq > after).slice(0, limit)
      if (has('status out of order')) statuses.reverse()
      return {
        statuses: statuses.map(({ maker: _, unsettled: __, ...row }) => row),
        oldest: all[0]?.seq ?? newest + 1,
        newest,
      }
    },

    listNewlyTold(after) {
      const rows = after === null ? [] : told.slice(after, after + 1_000)
      return {
        last: after === null ? told.length : after + rows.length,
        told: rows.map(({ maker, status, final }) => ({ maker, status, final })),
      }
    },

    listPools: () =>
      events.flatMap(({ fact }): Pool[] => {
        if (fact.type !== 'poolCreated') return []
        const { type: _, ...pool } = fact
        return [pool]
      }),

    listSeries: (poolId) =>
      events
        .flatMap(({ fact }): Series[] => {
          if (fact.type !== 'seriesCreated') return []
          const { type: _, ...series } = fact
          return poolId === undefined || series.poolId === poolId ? [series] : []
        })
        .sort((a, b) => a.expiry - b.expiry),
  }
}

function listedRecord(record: QuoteRecord): ListedRecord {
  const { hash, quote, apr, createdAt } = record
  return {
    get text() {
      return JSON.stringify({ hash, quote: serializeSignedQuote(quote), apr, createdAt })
    },
    parse: () => record,
  }
}

function placeOf({ blockNumber, logIndex }: ChainEvent): string {
  return `${blockNumber}:${logIndex}`
}

/** Whether what happens once has happened: a pool, a series or a position is created once. */
function isTwice(events: readonly ChainEvent[], { fact }: ChainEvent): boolean {
  return events.some((event) => identityOf(event.fact) === identityOf(fact))
}

function identityOf(fact: ChainEvent['fact']): string {
  if (fact.type === 'quoteEnded') return `${fact.hash} ${fact.status}`
  if (fact.type === 'nonceRaised') return `${fact.maker} ${fact.nonce}`
  return `${fact.type} ${'positionId' in fact ? fact.positionId : 'seriesKey' in fact ? fact.seriesKey : fact.poolId}`
}

function isTouched({ hash, quote }: QuoteRow, events: readonly ChainEvent[]): boolean {
  return events.some(
    ({ fact }) =>
      (fact.type === 'quoteEnded' && fact.hash === hash) ||
      (fact.type === 'nonceRaised' && same(fact.maker, quote.maker)),
  )
}

function same(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}
