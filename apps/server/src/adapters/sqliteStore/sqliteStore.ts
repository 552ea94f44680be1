import { BaseError } from '@firmquote/core'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { findResult, listObservations } from './auctionRows.ts'
import { findCheckpoint, findSyncPosition, listOpenPositions, listPools, listSeries } from './chainRows.ts'
import { listCommitments } from './commitmentRows.ts'
import { ping } from './identityRows.ts'
import { type OpenDatabase, openDatabase } from './openDatabase.ts'
import type { RunQuery } from './preparedQuery.ts'
import { listQuotes } from './quotePages.ts'
import { countQuotes, findQuote } from './quoteRows.ts'
import type { Retention } from './retention.ts'
import { serveWrites } from './serveWrites.ts'
import { createWriteOperations, type WriterOptions } from './writeOperations.ts'
import { createWriter, type Writer, type WriterChannelEvents } from './writer.ts'
import { openWriterThread } from './writerChannel.ts'

/** How a store is opened. */
export type SqliteStoreOptions = {
  /** A path, or `:memory:`. */
  file: string
  /** How much history is kept; by default 30 days and the newest 100,000 quotes of auctions. */
  retention?: Retention
  /** After how many writes old rows are looked for. */
  pruneEvery?: number
  /** Writes on the calling thread, which then waits for the disk: for tests that open hundreds of stores. */
  writesHere?: boolean
  /** The program of the thread that writes, for the tests of what happens when it fails. */
  writerProgram?: URL
}

const defaultRetention: Retention = { milliseconds: 30 * 86_400_000, auctionQuotes: 100_000 }

/**
 * Opens the store in an SQLite file. Queries run on this thread, writes on one of their own, in groups that share a commit;
 * their promises resolve after it, and every later query sees them.
 *
 * @throws {ConfigurationError} when the file cannot be opened as it must be.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { file, retention = defaultRetention, pruneEvery = 64, writesHere = false, writerProgram } = options
  const database = await openDatabase(file)
  const writer = createWriter((events) =>
    // What is in memory belongs to one connection.
    writesHere || file === ':memory:'
      ? openLocalWriter(database, { file, retention, pruneEvery }, events)
      : openWriterThread({ file, retention, pruneEvery }, events, writerProgram),
  )
  let closing: Promise<void> | null = null

  const guarded = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    if (closing) throw new StorageUnavailableError('The database is closed.')
    try {
      return await answer()
    } catch (cause) {
      if (cause instanceof BaseError) throw cause
      throw new StorageUnavailableError('The database did not answer.', { cause })
    }
  }
  const ask = <T>(answer: (run: RunQuery) => T): Promise<T> => guarded(() => answer(database.run))
  const write: Writer['write'] = (name, argument) => guarded(() => writer.write(name, argument))

  return {
    claim: (identity) => write('claim', identity),
    async insertQuote(quote) {
      const { created, record, ...known } = await write('insertQuote', quote)
      return { created, record: record ?? { ...quote, ...known, status: 'active', listed: true } }
    },
    insertAuctionQuote: (quote) => write('insertAuctionQuote', quote),
    findQuote: (hash) => ask((run) => findQuote(run, hash)),
    listQuotes: (filters, now) => ask((run) => listQuotes(run, filters, now)),
    countQuotes: (maker, now) => ask((run) => countQuotes(run, maker, now)),
    listCommitments: (makers, now) => ask((run) => listCommitments(run, makers, now)),
    insertResult: (result) => write('insertResult', result),
    findResult: (rfqId) => ask((run) => findResult(run, rfqId)),
    listObservations: (filters) => ask((run) => listObservations(run, filters)),
    findSyncPosition: () => ask(findSyncPosition),
    applyBlocks: (update) => write('applyBlocks', update),
    rollBack: (to) => write('rollBack', to),
    findCheckpoint: (atMost) => ask((run) => findCheckpoint(run, atMost)),
    listPools: () => ask(listPools),
    listSeries: (poolId) => ask((run) => listSeries(run, poolId)),
    listOpenPositions: (account) => ask((run) => listOpenPositions(run, account)),
    ping: () =>
      ask((run) => {
        writer.check()
        ping(run)
      }),
    close: () => {
      closing ??= writer.close().then(database.close)
      return closing
    },
  }
}

function openLocalWriter(database: OpenDatabase, options: WriterOptions, { answered }: WriterChannelEvents) {
  return { send: serveWrites(database, createWriteOperations(options, database.run), answered), close: async () => {} }
}
