import { randomBytes } from 'node:crypto'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { ReferenceClock } from '../../ports/referenceClock.ts'
import type { Store } from '../../ports/store.ts'
import {
  acceptQuote,
  findAuctionEntry,
  listObservations,
  listQuotedAuctions,
} from '../sqlStore/auctions/acceptedQuoteRows.ts'
import {
  closeAuction,
  findAuction,
  findAuctionByKey,
  listOpenAuctions,
  openAuction,
} from '../sqlStore/auctions/auctionRows.ts'
import { listCommitments } from '../sqlStore/auctions/commitmentRows.ts'
import { listMakerAuctions, listMakerQuotes } from '../sqlStore/auctions/makerRows.ts'
import { countTaker, listTaken } from '../sqlStore/auctions/takerRows.ts'
import {
  applyBlocks,
  finalize,
  findCheckpoint,
  findSyncPosition,
  listOpenPositions,
  listPools,
  listSeries,
  rollBack,
} from '../sqlStore/chain/chainRows.ts'
import { dateFills, listFillDays, listUndatedFills } from '../sqlStore/chain/fillDayRows.ts'
import { listLargestFills } from '../sqlStore/chain/fillRows.ts'
import { listExpiredSeries, listPositions } from '../sqlStore/chain/positionRows.ts'
import { addRatePoints, listOfferDays, listRateHours, listRatePoints } from '../sqlStore/chain/rateRows.ts'
import { changeControls, listAudit, readControls } from '../sqlStore/controls/controlRows.ts'
import { insertIdentity, ping, probe } from '../sqlStore/identityRows.ts'
import { insertListedQuote, publicationOf } from '../sqlStore/quotes/insertQuotes.ts'
import { listOffers } from '../sqlStore/quotes/offerRows.ts'
import { listPublishedQuotes } from '../sqlStore/quotes/publishedQuoteRows.ts'
import { listQuotes } from '../sqlStore/quotes/quotePages.ts'
import { countQuotes } from '../sqlStore/quotes/quoteRows.ts'
import { defaultRetention, pruneSteps, type Retention } from '../sqlStore/retention.ts'
import { tryLockSync } from '../sqlStore/sql/locks.ts'
import { run, type Script } from '../sqlStore/sql/script.ts'
import { findUnfinalizedBlock, listPendingUpdates, listStatuses } from '../sqlStore/statuses/statusRows.ts'
import { createDatabaseReference } from './databaseReference.ts'
import { holdLease } from './leaseRows.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { createPostgresPool, type PostgresPool, type PostgresPoolOptions } from './postgresPool.ts'
import { createQuoteLookups } from './quoteLookups.ts'
import { createQuoteWriter } from './quoteWriter.ts'
import { createScriptRunner } from './scriptRunner.ts'

/** Options of {@link createPostgresStore}. */
export type PostgresStoreOptions = {
  /** `postgres://user:password@host:5432/name`, with multiple hosts separated by commas. */
  url: string
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
  /** How much history to keep. Default: 30 days, and the newest 100,000 auction quotes. */
  retention?: Retention
  /** Number of writes between pruning runs. Default: 64. */
  pruneEvery?: number
  /** Maximum number of connections. */
  poolSize?: number
} & Pick<PostgresPoolOptions, 'allowAsyncReplicas' | 'beforeStatement'>

/** A store that several instances can share. */
export type PostgresStore = Store & {
  pool: PostgresPool
  /** A 32-byte secret shared by all instances of the database. */
  hintKey(): Promise<Uint8Array>
  /** The database's clock. */
  reference: ReferenceClock
}

/**
 * Opens the store in a PostgreSQL database and runs its migrations.
 *
 * @throws {ConfigurationError} if the database is unsuitable.
 * @throws {StorageUnavailableError} if the database does not respond.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, clock, log, retention = defaultRetention, pruneEvery = 64 } = options
  const { poolSize, allowAsyncReplicas, beforeStatement } = options
  await migrate(url, { migrations })
  const pool = await createPostgresPool({
    url,
    clock,
    log,
    ...(poolSize !== undefined && { size: poolSize }),
    ...(allowAsyncReplicas !== undefined && { allowAsyncReplicas }),
    ...(beforeStatement && { beforeStatement }),
  })
  const scripts = createScriptRunner(pool)
  const quotes = createQuoteWriter(pool, clock)
  let closing: Promise<void> | null = null
  let writes = 0
  let pruning: Promise<void> | null = null

  const checkOpen = () => {
    if (closing) throw new StorageUnavailableError('The database is closed.')
  }
  const ask = async <T>(script: Script<T>): Promise<T> => {
    checkOpen()
    return scripts.ask(script)
  }
  const lookUp = createQuoteLookups(ask)
  const write = async <T>(begin: () => Script<T>): Promise<T> => {
    checkOpen()
    return scripts.write(begin)
  }
  /** Prunes without blocking writes. */
  const prune = async (now: number): Promise<void> => {
    try {
      for (const step of pruneSteps(retention, now)) {
        if (closing) return
        await scripts.write(() => unlessLocked(step))
      }
    } catch (err) {
      log.warn({ err }, 'failed to prune expired rows; will retry')
    }
  }
  /** Starts pruning after every `pruneEvery` writes. */
  const tidy = <T>(at: number, written: T): T => {
    writes += 1
    if (writes % pruneEvery === 0 && !pruning && !closing) {
      pruning = prune(at).finally(() => {
        pruning = null
      })
    }
    return written
  }

  const insertQuote: Store['insertQuote'] = async (quote, limit) => {
    checkOpen()
    const published = await quotes.publish(quote, limit)
    if (published.status === 'full') return { created: false, record: null, open: published.open }
    tidy(quote.createdAt, null)
    // The group has been committed, so this read returns durable data.
    const known = published.status === 'known' ? await lookUp(quote.hash) : null
    if (known) return { created: false, record: known }
    // If the quote was pruned in the meantime, publish it again.
    if (published.status === 'known') return insertQuote(quote, limit)
    if (published.status !== 'created') return publicationOf(quote, await scripts.write(() => insertListedQuote(quote)))
    const { seriesExpiry } = published
    return publicationOf(quote, { created: true, ...(seriesExpiry !== null && { seriesExpiry }) })
  }

  return {
    pool,
    async hintKey() {
      checkOpen()
      await pool.query(insertKey, [randomBytes(32).toString('hex')])
      const [row] = await pool.query<{ value: string }>(selectKey)
      return Buffer.from(row?.value ?? '', 'hex')
    },
    reference: createDatabaseReference(pool),
    claim: (identity) => write(() => insertIdentity(identity, location)),
    insertQuote,
    findQuote: lookUp,
    async listQuotes(filters, now, without) {
      checkOpen()
      // A list sorted by rate sends several queries at once, on one connection.
      const begin = () => listQuotes(filters, now, without)
      return filters.sort === 'rate' ? scripts.see(begin) : scripts.ask(begin())
    },
    listPublishedQuotes: (filters, now) => ask(listPublishedQuotes(filters, now)),
    listOffers: (filters, now) => ask(listOffers(filters, now)),
    countQuotes: (maker, now) => ask(countQuotes(maker, now)),
    listCommitments: (makers, now) => ask(listCommitments(makers, now)),
    listLargestFills: (makers, from) => ask(listLargestFills(makers, from)),
    openAuction: async (auction) => tidy(auction.rfq.openedAt, await write(() => openAuction(auction))),
    findAuctionByKey: (key, since) => ask(findAuctionByKey(key, since)),
    async acceptQuote(quote, at) {
      checkOpen()
      const acceptance = { quote, at }
      // The outcome is null if an event has already ended the quote. The quote must then be stored and ended in a
      // single script.
      const outcome = (await quotes.accept(acceptance)) ?? (await scripts.write(() => acceptQuote(acceptance)))
      return tidy(at, outcome)
    },
    closeAuction: async (close) => tidy(close.at, await write(() => closeAuction(close))),
    findAuction: (id, knownCount) => ask(findAuction(id, knownCount)),
    findAuctionEntry: (publicRfqId, maker) => ask(findAuctionEntry(publicRfqId, maker)),
    listQuotedAuctions: (maker) => ask(listQuotedAuctions(maker)),
    countTaker: (query) => ask(countTaker(query)),
    listTaken: (taker) => ask(listTaken(taker)),
    listOpenAuctions: () => ask(listOpenAuctions()),
    listObservations: (filters) => ask(listObservations(filters)),
    listMakerQuotes: (maker, filters, now) => ask(listMakerQuotes(maker, filters, now)),
    listMakerAuctions: (maker, page) => ask(listMakerAuctions(maker, page)),
    addRatePoints: (given) => write(() => addRatePoints(given)),
    listRatePoints: (query) => ask(listRatePoints(query)),
    listRateHours: (range) => ask(listRateHours(range)),
    listUndatedFills: (query) => ask(listUndatedFills(query)),
    dateFills: (blocks) => write(() => dateFills(blocks)),
    listFillDays: (query) => ask(listFillDays(query)),
    listOfferDays: (query) => ask(listOfferDays(query)),
    findSyncPosition: () => ask(findSyncPosition()),
    applyBlocks: (update) => write(() => applyBlocks(update)),
    rollBack: (undoing) => write(() => rollBack(undoing)),
    async holdLease(...lease) {
      checkOpen()
      return holdLease(pool, ...lease)
    },
    finalize: (block, at) => write(() => finalize({ block, at })),
    listStatuses: (maker, page) => ask(listStatuses(maker, page)),
    listPendingUpdates: (after) => ask(listPendingUpdates(after)),
    findUnfinalizedBlock: () => ask(findUnfinalizedBlock()),
    findCheckpoint: (atMost) => ask(findCheckpoint(atMost)),
    listPools: () => ask(listPools()),
    listSeries: (poolId) => ask(listSeries(poolId)),
    listExpiredSeries: (at) => ask(listExpiredSeries(at)),
    async listPositions(query) {
      checkOpen()
      return scripts.see(() => listPositions(query))
    },
    listOpenPositions: (account) => ask(listOpenPositions(account)),
    changeControls: (change) => write(() => changeControls(change)),
    readControls: (known) => ask(readControls(known)),
    listAudit: (page) => ask(listAudit(page)),
    ping: () => ask(ping()),
    async size() {
      checkOpen()
      const [row] = await pool.query<{ data: number; may_list: boolean }>(selectSize)
      // Listing the WAL requires `pg_monitor`.
      const [listed] = row?.may_list ? await pool.query<{ log: number }>(selectLogSize) : []
      return { data: row?.data ?? null, log: listed?.log ?? null, free: null }
    },
    probe: () => write(probe),
    // The server's data checksums detect damaged pages.
    integrity: () => 'ok',
    close: () => {
      closing ??= Promise.all([quotes.drain(), pruning]).then(() => pool.close())
      return closing
    },
  }
}

/** Skips a step if another transaction holds the sync lock. */
function* unlessLocked(step: () => Script<unknown>): Script<void> {
  const [locked] = yield* run(tryLockSync)
  if (locked) yield* step()
}

const location = {
  database: 'The database of DATABASE_URL',
  remedy: 'set DATABASE_URL to another database',
}

const selectSize = `select pg_database_size(current_database())::double precision as data,
  has_function_privilege('pg_ls_waldir()', 'execute') as may_list`
const selectLogSize = 'select coalesce(sum(size), 0)::double precision as log from pg_ls_waldir()'
const insertKey = `insert into identity (key, value) values ('hint_key', $1) on conflict (key) do nothing`
const selectKey = `select value from identity where key = 'hint_key'`
