import { BaseError } from '@firmquote/core'
import { type Clock, systemClock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { findAuctionEntry, listObservations, listQuotedAuctions } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import { findAuction, findAuctionByKey, findOldestEnd, listOpenAuctions } from '../sqlStore/auctions/auctionRows.ts'
import { listCommitments } from '../sqlStore/auctions/commitmentRows.ts'
import { listMakerAuctions, listMakerQuotes } from '../sqlStore/auctions/makerRows.ts'
import { countTaker, listTaken } from '../sqlStore/auctions/takerRows.ts'
import {
  findCheckpoint,
  findSyncPosition,
  listOpenPositions,
  listPools,
  listSeries,
} from '../sqlStore/chain/chainRows.ts'
import { listFillDays, listUndatedFills } from '../sqlStore/chain/fillDayRows.ts'
import { listLargestFills } from '../sqlStore/chain/fillRows.ts'
import { listExpiredSeries, listPositions } from '../sqlStore/chain/positionRows.ts'
import { listOfferDays, listRateHours, listRatePoints } from '../sqlStore/chain/rateRows.ts'
import { listAudit, readControls } from '../sqlStore/controls/controlRows.ts'
import { ping } from '../sqlStore/identityRows.ts'
import { findLeaf, findProof, findProvableAuction } from '../sqlStore/proofs/auctionProofRows.ts'
import { findLog, findTile, listEntries } from '../sqlStore/proofs/logRows.ts'
import { publicationOf } from '../sqlStore/quotes/insertQuotes.ts'
import { listOffers } from '../sqlStore/quotes/offerRows.ts'
import { listPublishedQuotes } from '../sqlStore/quotes/publishedQuoteRows.ts'
import { listQuotes } from '../sqlStore/quotes/quotePages.ts'
import { countQuotes, findQuote } from '../sqlStore/quotes/quoteRows.ts'
import { defaultRetention, type Retention } from '../sqlStore/retention.ts'
import type { Script } from '../sqlStore/sql/script.ts'
import { findUnfinalizedBlock, listPendingUpdates, listStatuses } from '../sqlStore/statuses/statusRows.ts'
import { checkIntegrity } from './checkIntegrity.ts'
import { type OpenDatabase, openDatabase } from './openDatabase.ts'
import { readFileSizes } from './readFileSizes.ts'
import { isDamage } from './sqliteFailure.ts'
import {
  createWriter,
  type OpenWriter,
  openWriterThread,
  type Writer,
  type WriterChannel,
  type WriterChannelEvents,
} from './writer.ts'
import { createWriteOperations, serveWrites, type WriterSettings } from './writes.ts'

/** Options of {@link createSqliteStore}. */
export type SqliteStoreOptions = {
  /** A path, or `:memory:`. */
  file: string
  /** The file that locks the database's directory for this process; none if there is no lock. */
  lockFile?: string
  /** How much history to keep. Default: 30 days, and the newest 100,000 auction quotes. */
  retention?: Retention
  /** Maximum cache size of each of the two connections, in MiB. Default: 64. */
  cacheMiB?: number
  /** Number of writes between pruning runs. Default: 64. */
  pruneEvery?: number
  /**
   * Writes synchronously on the calling thread and skips the integrity check, for tests that open hundreds of stores.
   */
  writesHere?: boolean
  /** The writer thread's file, for tests of its failures. */
  writerProgram?: URL
  /** Wraps the writer's channel, for tests of its failures. */
  wrapWriter?: (open: OpenWriter) => OpenWriter
  /** The clock used for the backoff after the writer is lost. */
  clock?: Clock
  log?: Pick<Logger, 'info' | 'warn'>
}

/**
 * Opens a store in an SQLite file. Queries run on this thread. Writes run on a writer thread, in groups that share one
 * commit. A write's promise resolves after the commit, and later queries see the data. If the writer thread is lost, it
 * is restarted. The store does not write to a damaged database.
 *
 * @throws {ConfigurationError} if the file cannot be opened.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const {
    file,
    lockFile,
    retention = defaultRetention,
    pruneEvery = 64,
    cacheMiB = 64,
    clock = systemClock,
    log,
  } = options
  // An in-memory database has a single connection.
  const isLocal = options.writesHere === true || file === ':memory:'
  const connection = { file, cacheMiB, ...(lockFile !== undefined && { lockFile }) }
  const database = await openDatabase(connection, log)
  let integrity: ReturnType<Store['integrity']> = isLocal ? 'ok' : 'checking'
  let damage: StorageUnavailableError | null = null
  const noteDamage = (cause: unknown) => {
    integrity = 'bad'
    damage ??= new StorageUnavailableError(`The database ${file} is damaged; restore it from a backup.`, { cause })
  }
  const settings = { ...connection, retention, pruneEvery }
  const openWriter: OpenWriter = (events) =>
    isLocal ? openLocalWriter(database, settings, events) : openWriterThread(settings, events, options.writerProgram)
  const writer = createWriter(options.wrapWriter?.(openWriter) ?? openWriter, {
    clock,
    onLost(cause) {
      if (isDamage(cause)) noteDamage(cause)
      return damage === null
    },
  })
  const check = isLocal
    ? null
    : checkIntegrity(file, clock, {
        report(found) {
          if (found) noteDamage(found)
          else if (!damage) integrity = 'ok'
        },
        failed: (err) => log?.warn({ err }, 'failed to check the integrity of the database; will retry'),
      })
  let closing: Promise<void> | null = null

  const guarded = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    if (closing) throw new StorageUnavailableError('The database is closed.')
    try {
      return await answer()
    } catch (cause) {
      if (isDamage(cause)) noteDamage(cause)
      if (cause instanceof BaseError) throw cause
      throw new StorageUnavailableError('The database did not answer.', { cause })
    }
  }
  const checkDamage = () => {
    if (damage) throw damage
  }
  const ask = <T>(script: Script<T>): Promise<T> => guarded(() => database.run(script))
  const write: Writer['write'] = (name, argument) =>
    guarded(() => {
      checkDamage()
      return writer.write(name, argument)
    })

  return {
    claim: (identity) => write('claim', identity),
    async insertQuote(quote, limit) {
      return publicationOf(quote, await write('insertQuote', { quote, limit }))
    },
    findQuote: (hash) => ask(findQuote(hash)),
    listQuotes: (filters, now, without) =>
      guarded(() => database.snapshot(() => database.run(listQuotes(filters, now, without)))),
    listPublishedQuotes: (filters, now) => ask(listPublishedQuotes(filters, now)),
    listOffers: (filters, now) => ask(listOffers(filters, now)),
    countQuotes: (maker, now) => ask(countQuotes(maker, now)),
    listCommitments: (makers, now) => ask(listCommitments(makers, now)),
    listLargestFills: (makers, from) => ask(listLargestFills(makers, from)),
    openAuction: (auction) => write('openAuction', auction),
    findAuctionByKey: (key, since) => ask(findAuctionByKey(key, since)),
    acceptQuote: (quote, at) => write('acceptQuote', { quote, at }),
    closeAuction: (close) => write('closeAuction', close),
    findAuction: (id, knownCount) => ask(findAuction(id, knownCount)),
    findAuctionEntry: (publicRfqId, maker) => ask(findAuctionEntry(publicRfqId, maker)),
    listQuotedAuctions: (maker) => ask(listQuotedAuctions(maker)),
    countTaker: (query) => ask(countTaker(query)),
    listTaken: (taker) => ask(listTaken(taker)),
    listOpenAuctions: () =>
      guarded(() => {
        // The service reads the open auctions every second, so an idle server detects a missing file too.
        database.checkFiles()
        return database.run(listOpenAuctions())
      }),
    listObservations: (filters) => ask(listObservations(filters)),
    listMakerQuotes: (maker, filters, now) => ask(listMakerQuotes(maker, filters, now)),
    listMakerAuctions: (maker, page) => ask(listMakerAuctions(maker, page)),
    addRatePoints: (given) => write('addRatePoints', given),
    listRatePoints: (query) => ask(listRatePoints(query)),
    listRateHours: (range) => ask(listRateHours(range)),
    listUndatedFills: (query) => ask(listUndatedFills(query)),
    dateFills: (blocks) => write('dateFills', blocks),
    listFillDays: (query) => ask(listFillDays(query)),
    listOfferDays: (query) => ask(listOfferDays(query)),
    findSyncPosition: () => ask(findSyncPosition()),
    applyBlocks: (update) => write('applyBlocks', update),
    rollBack: (undoing) => write('rollBack', undoing),
    // A data directory has a single owner, so the lease is always held.
    holdLease: () => guarded(() => true),
    finalize: (block, at) => write('finalize', { block, at }),
    listStatuses: (maker, page) => ask(listStatuses(maker, page)),
    listPendingUpdates: (after) => ask(listPendingUpdates(after)),
    findUnfinalizedBlock: () => ask(findUnfinalizedBlock()),
    findCheckpoint: (atMost) => ask(findCheckpoint(atMost)),
    listPools: () => ask(listPools()),
    listSeries: (poolId) => ask(listSeries(poolId)),
    listExpiredSeries: (at) => ask(listExpiredSeries(at)),
    listPositions: (query) => guarded(() => database.snapshot(() => database.run(listPositions(query)))),
    listOpenPositions: (account) => ask(listOpenPositions(account)),
    changeControls: (change) => write('changeControls', change),
    readControls: (known) => ask(readControls(known)),
    listAudit: (page) => ask(listAudit(page)),
    proofs: {
      startLog: (first) => write('startLog', first),
      findLog: () => ask(findLog()),
      advanceLog: (at) => write('advanceLog', at),
      findOldestEnd: () => ask(findOldestEnd()),
      listEntries: (log, from, to) => ask(listEntries(log, from, to)),
      findTile: (log, level, position) => ask(findTile(log, level, position)),
      findProof: (id) => ask(findProof(id)),
      findLeaf: (publicRfqId, maker) => ask(findLeaf(publicRfqId, maker)),
      findAuction: (id) => guarded(() => database.snapshot(() => database.run(findProvableAuction(id)))),
    },
    ping: () =>
      guarded(() => {
        checkDamage()
        writer.check()
        database.checkFiles()
        database.run(ping())
      }),
    size: () => guarded(() => readFileSizes(file)),
    probe: () => write('probe', null),
    integrity: () => integrity,
    close: () => {
      closing ??= Promise.all([writer.close(), check?.close()]).then(database.close)
      return closing
    },
  }
}

function openLocalWriter(
  database: OpenDatabase,
  settings: WriterSettings,
  { opened, answered }: WriterChannelEvents,
): WriterChannel {
  setImmediate(opened)
  return { send: serveWrites(database, createWriteOperations(settings, database.run), answered), close: async () => {} }
}
