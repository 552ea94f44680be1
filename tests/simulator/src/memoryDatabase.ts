// The tables of the store port in memory. Every method of the port is one step here, so the file is as long as the port.

import { type BlockRef, InvalidInputError, type QuoteFilters, serializeSignedQuote } from '@firmquote/core'
import type { OpenedSeries } from '@firmquote/core/chain'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { AcceptedQuote, AuctionClose, AuctionRecord } from '../../../apps/server/src/domain/auctionRecord.ts'
import { statusToTell } from '../../../apps/server/src/domain/statusToTell.ts'
import type { ChainEvent, Pool, Position, Series } from '../../../apps/server/src/ports/chain.ts'
import { CursorMovedError, StorageUnavailableError, WrongDatabaseError } from '../../../apps/server/src/ports/errors.ts'
import {
  type AuctionKey,
  type ChainUndoing,
  type ChainUpdate,
  type Fill,
  type FixedPoint,
  keyLifetimeMs,
  type ListedRecord,
  type NewAuction,
  type NewAuctionQuote,
  type NewClose,
  type NewQuote,
  type PositionRecord,
  type QuoteRecord,
  type RatePoint,
  type Store,
  type SyncedBlock,
  statusesKept,
  type ToldStatus,
} from '../../../apps/server/src/ports/store.ts'
import { nextStatement, runAtOnce, type Statement, type Transaction } from './simTransactions.ts'

/** The row that a move of the cursor locks. */
const syncLock = 'sync'

/** What is committed. Each call is one transaction, done when it returns. */
export type MemoryDatabase = {
  [Method in Exclude<keyof Store, 'close' | 'ping' | 'probe' | 'integrity' | 'size'>]: (
    ...given: Parameters<Store[Method]>
  ) => Awaited<ReturnType<Store[Method]>>
} & {
  /** All quotes, in the order of their coming. */
  quotes(): QuoteRecord[]
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
export function createMemoryDatabase(ownClock?: () => number): MemoryDatabase {
  let identity: Parameters<Store['claim']>[0] | null = null
  const quotes = new Map<Hex, QuoteRow>()
  const auctions = new Map<string, AuctionRow>()
  const byPublicId = new Map<string, AuctionRow>()
  const keys = new Map<Hex, string[]>()
  const observed: { auction: AuctionRow; quote: AcceptedQuote }[] = []
  let cursor: BlockRef | null = null
  let blocks: SyncedBlock[] = []
  let events: ChainEvent[] = []
  let ratePoints: RatePoint[] = []
  const told: StatusRow[] = []
  let lease: { holder: string; until: number } | null = null

  /** False when it was done, and its caller has not heard so. */
  const goesOn = (from: SyncedBlock | null, to: SyncedBlock | null): boolean => {
    const isAt = (block: SyncedBlock | null) => cursor?.number === block?.number && cursor?.hash === block?.hash
    if (isAt(from)) return true
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
    told.push({ ...row, maker, seq: (ofMaker(maker).at(-1)?.seq ?? 0) + 1 })
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
      if (status === null) continue
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

  /** All positions, the oldest first. */
  const positions = (): PositionRecord[] =>
    events.flatMap(({ fact, blockNumber }): PositionRecord[] => {
      if (fact.type !== 'positionOpened') return []
      const { type: _, ...position } = fact
      const pool = events
        .flatMap((event) => (event.fact.type === 'poolCreated' ? [event.fact] : []))
        .find(({ poolId }) => poolId === position.poolId)
      const expiry = seriesExpiry(position.seriesKey)
      if (!pool || expiry === undefined) return []
      const settlement = events.flatMap(({ fact: end, blockNumber: at, transactionHash }) =>
        end.type === 'positionSettled' && end.positionId === position.positionId
          ? [{ toBorrower: end.toBorrower, toMaker: end.toMaker, blockNumber: at, transactionHash }]
          : [],
      )
      const { loanToken } = pool
      return [{ ...position, openedAtBlock: blockNumber, loanToken, expiry, settlement: settlement[0] ?? null }]
    })

  const lastOpening = (seriesKey: Hex): OpenedSeries => {
    const { poolId, positionId } = positions().findLast(
      (position) => position.seriesKey === seriesKey,
    ) as PositionRecord
    const pool = events.flatMap(({ fact }) => (fact.type === 'poolCreated' && fact.poolId === poolId ? [fact] : []))[0]
    return {
      seriesKey,
      adapter: pool?.adapter ?? zeroAddress,
      market: pool?.market ?? '0x',
      lastPositionId: positionId,
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
        if (earlier?.key && rfq.openedAt - earlier.rfq.openedAt <= keyLifetimeMs) {
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
      if (auction.close) return { status: 'closed', closedAt: auction.close.closedAt }
      if (auction.rfq.closesAt <= time) return { status: 'closed', closedAt: auction.rfq.closesAt }
      const seq = auction.quotes.length + 1
      yield nextStatement
      const other = auction.quotes.find((accepted) => same(accepted.quote.maker, quote.quote.maker))
      if (other) return { status: 'quoted', hash: other.hash }
      const accepted = { ...quote, seq }
      auction.quotes.push(accepted)
      observed.push({ auction, quote: accepted })
      if (!quotes.has(quote.hash)) insert({ ...quote, createdAt: quote.receivedAt }, false)
      return { status: 'accepted', seq, receivedAt: quote.receivedAt }
    },

    *closeAuction({ publicRfqId, at, rejectedCount, interrupted, knownCount = 0 }: NewClose) {
      const auction = byPublicId.get(publicRfqId)
      if (!auction) return null
      yield lock(publicRfqId)
      if (auction.close) return { closedNow: false, auction: auctionOf(auction, knownCount) }
      const time = Math.floor(now(at))
      if (time < auction.rfq.closesAt) return null
      // In a later statement than the lock's, which sees what was committed while the lock was waited for.
      yield nextStatement
      const found = auctionOf(auction, knownCount)
      auction.close = { closedAt: time, rejectedCount, interrupted }
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
      ratePoints = ratePoints.filter(({ block }) => block <= kept)
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

    claim(wanted) {
      identity ??= wanted
      const names = { chainId: 'chain id', genesisHash: "chain's first block", quoteMarket: 'quote market' }
      for (const [field, name] of Object.entries(names)) {
        const [is, want] = [identity, wanted].map((one) => String(one[field as keyof typeof names]).toLowerCase())
        if (is !== want) {
          throw new WrongDatabaseError(
            `The database holds quotes of another chain or market (${name} ${is}, not ${want}); set DATA_DIR to another directory, or delete this one.`,
          )
        }
      }
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

    listQuotes(filters, now) {
      const { sort = 'created', limit = 50, cursor: text } = filters
      const [sign, keyOf] = orders[sort]
      const end = text === undefined ? null : decodeCursor(text, sort)
      const compare = (a: { key: number; order: number }, b: { key: number; order: number }) =>
        sign * (a.key - b.key || a.order - b.order)
      const found = [...quotes.values()]
        .filter((row) => isShown(row, now) && !hasEnded(row, now) && matches(row, filters))
        .map((row) => ({ row, key: keyOf(row), order: row.order }))
        .filter((item) => end === null || compare(item, end) > 0)
        .sort(compare)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        quotes: page.map(({ row }) => listedRecord(recordOf(row))),
        nextCursor: last ? encodeCursor(sort, last) : null,
      }
    },

    listPublishedQuotes({ maker, status, limit = 50, cursor: text }, now) {
      const end = text === undefined ? null : decodeCursor(text, 'latest')
      const compare = (a: { key: number; order: number }, b: { key: number; order: number }) =>
        b.key - a.key || b.order - a.order
      const statusOf = (row: QuoteRow) =>
        row.status === 'active' && (row.quote.deadline < now || hasEnded(row, now)) ? 'expired' : row.status
      const found = [...quotes.values()]
        .filter((row) => row.listed && same(row.quote.maker, maker) && (status === 'all' || statusOf(row) === status))
        .map((row) => ({ row, key: Number(row.quote.deadline), order: row.order }))
        .filter((item) => end === null || compare(item, end) > 0)
        .sort(compare)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        quotes: page.map(({ row }) => recordOf(row)),
        nextCursor: last ? encodeCursor('latest', last) : null,
      }
    },

    listOffers({ seriesKey, least, most, perMaker, limit, without }, now) {
      const counts = new Map<string, number>()
      return [...quotes.values()]
        .filter((row) => isShown(row, now) && row.quote.seriesKey === seriesKey)
        .filter((row) => BigInt(row.quote.taker) === 0n)
        .filter(({ quote }) => quote.notional >= least && quote.notional <= most)
        .sort((a, b) => a.apr - b.apr || a.order - b.order)
        .filter(({ quote }) => {
          const maker = quote.maker.toLowerCase()
          const count = (counts.get(maker) ?? 0) + 1
          counts.set(maker, count)
          return count <= perMaker && !without.has(maker)
        })
        .slice(0, limit)
        .map(({ hash, quote, apr, createdAt }) => ({ hash, quote, apr, createdAt }))
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
        .filter(({ close }) => close === null)
        .sort((a, b) => a.rfq.closesAt - b.rfq.closesAt)
        .map(({ publicRfqId, quotes: accepted }) => ({ publicRfqId, lastSeq: accepted.length })),

    addRatePoints({ points, asOf, keepFrom }) {
      if (!blocks.some(({ number, hash }) => number === asOf.number && hash === asOf.hash)) {
        throw new CursorMovedError('The rates were read on a chain that the store does not have.')
      }
      for (const point of points) {
        if (!ratePoints.some(({ poolId, hour }) => poolId === point.poolId && hour === point.hour))
          ratePoints.push(point)
      }
      ratePoints = ratePoints.filter(({ hour }) => hour >= keepFrom).sort((a, b) => a.hour - b.hour)
    },

    listRatePoints({ poolId, from, to, step }) {
      const found = ratePoints.filter((point) => point.poolId === poolId && point.hour >= from && point.hour <= to)
      const stepOf = ({ hour }: RatePoint) => Math.floor(hour / step)
      return found.filter((point, index) => {
        const before = found[index - 1]
        return before === undefined || stepOf(before) !== stepOf(point)
      })
    },

    listRateHours: ({ from, to }) =>
      ratePoints
        .filter(({ hour }) => hour >= from && hour <= to)
        .map(({ poolId, hour, block }) => ({ poolId, hour, block }))
        .reverse(),

    listFixedPoints({ poolId, from, to, limit }) {
      const best = new Map<string, FixedPoint>()
      for (const {
        auction,
        quote: { quote, apr, unproven },
      } of observed) {
        const opened = events.find(
          ({ fact }) => fact.type === 'seriesCreated' && fact.poolId === poolId && fact.seriesKey === quote.seriesKey,
        )
        if (auction.close === null || unproven || opened?.fact.type !== 'seriesCreated') continue
        const { seriesKey, expiry } = opened.fact
        const day = Math.floor(auction.close.closedAt / 86_400_000) * 86_400
        const known = best.get(`${seriesKey}${day}`)
        const isBetter = !known || apr < known.apr || (apr === known.apr && quote.notional > known.notional)
        if (isBetter) best.set(`${seriesKey}${day}`, { seriesKey, expiry, day, apr, notional: quote.notional })
      }
      return [...best.values()]
        .filter(({ day }) => day >= from && day <= to)
        .sort((a, b) => b.day - a.day || a.expiry - b.expiry)
        .slice(0, limit)
        .sort((a, b) => a.expiry - b.expiry || a.seriesKey.localeCompare(b.seriesKey) || a.day - b.day)
    },

    listObservations: ({ poolId, seriesKey, limit = 50 }) =>
      observed
        .filter(({ auction }) => auction.close !== null)
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

    listMakerQuotes(maker, { status, limit = 50, cursor: text }, now) {
      const end = text === undefined ? null : decodeCursor(text, 'created')
      const found = [...quotes.values()]
        .filter(({ quote }) => same(quote.maker, maker))
        .filter((row) => {
          const isOver = row.status === 'active' && (row.quote.deadline < now || hasEnded(row, now))
          return status === undefined || status === (isOver ? 'expired' : row.status)
        })
        .sort((a, b) => b.createdAt - a.createdAt || b.order - a.order)
        .filter(
          ({ createdAt, order }) => end === null || createdAt < end.key || (createdAt === end.key && order < end.order),
        )
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        quotes: page.map((row) => {
          const auction = observed.findLast(({ quote }) => quote.hash === row.hash)?.auction
          return { ...recordOf(row), ...(auction && { publicRfqId: auction.publicRfqId }) }
        }),
        nextCursor: last ? encodeCursor('created', { key: last.createdAt, order: last.order }) : null,
      }
    },

    countTaker({ taker, since, from, most }) {
      const asked = [...auctions.values()].filter(
        ({ rfq }) => rfq.takerVerified && rfq.taker && same(rfq.taker, taker) && rfq.openedAt >= since,
      )
      const taken = events.filter(
        ({ fact, blockNumber }) => fact.type === 'positionOpened' && same(fact.borrower, taker) && blockNumber >= from,
      )
      return { asked: Math.min(asked.length, most), taken: Math.min(taken.length, most) }
    },

    listMakerAuctions(maker, { limit = 50, cursor: text }) {
      const end = text === undefined ? Number.POSITIVE_INFINITY : decodeCursor(text, 'auctions').order
      const found = [...auctions.values()]
        .map((row, order) => ({ row, order }))
        .filter(({ row, order }) => row.close !== null && order < end)
        .filter(({ row }) => row.quotes.some(({ quote }) => same(quote.maker, maker)))
        .reverse()
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        auctions: page.map(({ row }) => auctionOf(row)),
        nextCursor: last ? encodeCursor('auctions', { key: 0, order: last.order }) : null,
      }
    },

    findSyncPosition: () => ({ cursor, blocks: [...blocks] }),

    holdLease(holder, milliseconds) {
      const time = ownClock?.() ?? 0
      if (lease && lease.holder !== holder && lease.until > time) return false
      lease = { holder, until: time + milliseconds }
      return true
    },

    findCheckpoint,

    finalize({ number, hash }) {
      const synced = findCheckpoint(number)
      if (synced?.number !== number || synced.hash !== hash) return
      const waiting = told.filter(({ unsettled, block }) => unsettled && block <= Number(number))
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

    listLargestFills(makers, from) {
      const caps = new Map(
        events.flatMap(({ fact }) => (fact.type === 'seriesCreated' ? [[fact.seriesKey, fact.cap] as const] : [])),
      )
      const largest = new Map<string, Fill>()
      for (const { fact, blockNumber } of events) {
        if (fact.type !== 'positionOpened' || blockNumber < from) continue
        const { maker, seriesKey, notional } = fact
        const cap = caps.get(seriesKey)
        const key = `${maker} ${seriesKey}`.toLowerCase()
        if (cap === undefined || !makers.some((one) => same(one, maker))) continue
        if (notional > (largest.get(key)?.notional ?? -1n)) largest.set(key, { maker, notional, cap })
      }
      return [...largest.values()]
    },

    listPositions({ account, status, limit, cursor: text }) {
      const page = positions()
        .filter(({ maker, borrower }) => same(maker, account) || same(borrower, account))
        .filter(({ settlement }) => status === 'all' || (settlement === null) === (status === 'open'))
      if (status !== 'open') page.reverse()
      const behind = text === undefined ? undefined : decodeCursor(text, status).key
      const start = page.findIndex(({ positionId }) => Number(positionId) === behind) + 1
      const shown = page.slice(start, start + limit)
      const last = shown.at(-1)
      const isLast = start + limit >= page.length
      const open = new Set(shown.flatMap(({ settlement, seriesKey }) => (settlement ? [] : [seriesKey])))
      return {
        block: cursor,
        positions: shown,
        openSeries: [...open].map((seriesKey) => lastOpening(seriesKey)),
        nextCursor: isLast || !last ? null : encodeCursor(status, { key: Number(last.positionId), order: 0 }),
      }
    },

    listOpenPositions(account) {
      const settled = new Set(events.flatMap(({ fact }) => (fact.type === 'positionSettled' ? [fact.positionId] : [])))
      return events.flatMap(({ fact, blockNumber }): Position[] => {
        if (fact.type !== 'positionOpened' || settled.has(fact.positionId)) return []
        const { type: _, ...position } = fact
        return same(position.maker, account) || same(position.borrower, account)
          ? [{ ...position, openedAtBlock: blockNumber }]
          : []
      })
    },
  }
}

const orders = {
  rate: [1, ({ apr }: QuoteRow) => apr],
  created: [-1, ({ createdAt }: QuoteRow) => createdAt],
  deadline: [1, ({ quote }: QuoteRow) => Number(quote.deadline)],
} as const

function matches({ quote }: QuoteRow, filters: QuoteFilters): boolean {
  const { maker, taker, poolId, seriesKey, minNotional, maxNotional } = filters
  return (
    (maker === undefined || same(quote.maker, maker)) &&
    (taker === undefined || same(quote.taker, taker)) &&
    (poolId === undefined || quote.poolId === poolId) &&
    (seriesKey === undefined || quote.seriesKey === seriesKey) &&
    (minNotional === undefined || quote.notional >= minNotional) &&
    (maxNotional === undefined || quote.notional <= maxNotional)
  )
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

type PageEnd = { key: number; order: number }

function encodeCursor(sort: string, { key, order }: PageEnd): string {
  return Buffer.from(JSON.stringify([sort, key, order])).toString('base64url')
}

function decodeCursor(text: string, sort: string): PageEnd {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    parsed = null
  }
  const [cursorSort, key, order] = Array.isArray(parsed) ? (parsed as unknown[]) : []
  if (typeof key !== 'number' || typeof order !== 'number') {
    throw new InvalidInputError('is not a cursor of this list.', { path: 'cursor' })
  }
  if (cursorSort !== sort) throw new InvalidInputError('belongs to a list in another order.', { path: 'cursor' })
  return { key, order }
}

function placeOf({ blockNumber, logIndex }: ChainEvent): string {
  return `${blockNumber}:${logIndex}`
}

/** Whether what happens once has happened: a pool, a series or a position is created once. */
function isTwice(events: readonly ChainEvent[], { fact }: ChainEvent): boolean {
  const idOf = (one: ChainEvent['fact']) => {
    switch (one.type) {
      case 'poolCreated':
        return `pool ${one.poolId}`
      case 'seriesCreated':
        return `series ${one.seriesKey}`
      case 'positionOpened':
        return `position ${one.positionId}`
      case 'positionSettled':
        return `settlement ${one.positionId}`
      case 'quoteEnded':
        return `end ${one.hash} ${one.status}`
      default:
        return `nonce ${one.maker} ${one.nonce}`
    }
  }
  return events.some((event) => idOf(event.fact) === idOf(fact))
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
