import { BaseError } from '@firmquote/core'
import type { Kysely, Transaction } from 'kysely'
import { StorageUnavailableError, WrongDatabaseError } from '../../errors.ts'
import type { Store } from '../../ports/store.ts'
import { findResult, insertAuctionQuote, insertResult, listObservations, prune, type Retention } from './auctionRows.ts'
import {
  applyBlocks,
  findCheckpoint,
  listOpenPositions,
  listPools,
  listSeries,
  readSync,
  rollBack,
} from './chainRows.ts'
import { listCommitments } from './commitmentRows.ts'
import { createGroupCommit } from './groupCommit.ts'
import { openDatabase } from './openDatabase.ts'
import { countQuotes, findQuote, insertListedQuote, listQuotes } from './quoteRows.ts'
import type { Tables } from './schema.ts'

/** How a store is opened. */
export type SqliteStoreOptions = {
  /** A path, or `:memory:`. */
  file: string
  /** How much history is kept; by default 30 days and the newest 100,000 quotes of auctions. */
  retention?: Retention
  /** After how many auctions old ones are looked for. */
  pruneEvery?: number
}

const defaultRetention: Retention = { milliseconds: 30 * 86_400_000, auctionQuotes: 100_000 }

/**
 * Opens the store in an SQLite file. Writes of one tick share a commit, and their promises resolve after it.
 *
 * @throws {ConfigurationError} when the file cannot be opened as it must be.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { file, retention = defaultRetention, pruneEvery = 50 } = options
  const db = await openDatabase(file)
  const group = createGroupCommit(db)
  let results = 0
  let closing: Promise<void> | null = null

  const guarded = async <T>(run: () => Promise<T>): Promise<T> => {
    if (closing) throw new StorageUnavailableError('The database is closed.')
    try {
      return await run()
    } catch (cause) {
      if (cause instanceof BaseError) throw cause
      throw new StorageUnavailableError('The database did not answer.', { cause })
    }
  }
  const read = <T>(run: (from: Kysely<Tables>) => Promise<T>) => guarded(() => run(db))
  const write = <T>(run: (transaction: Transaction<Tables>) => Promise<T>) => guarded(() => group.write(run))

  return {
    claim: (identity) => write((transaction) => claim(transaction, identity, file)),
    insertQuote: (quote) =>
      write(async (transaction) => {
        const created = await insertListedQuote(transaction, quote)
        const record = await findQuote(transaction, quote.hash)
        if (!record) throw new StorageUnavailableError('The quote that was stored is not there.')
        return { created, record }
      }),
    insertAuctionQuote: (quote) => write((transaction) => insertAuctionQuote(transaction, quote)),
    findQuote: (hash) => read((from) => findQuote(from, hash)),
    listQuotes: (filters, now) => read((from) => listQuotes(from, filters, now)),
    countQuotes: (maker, now) => read((from) => countQuotes(from, maker, now)),
    listCommitments: (makers, now) => read((from) => listCommitments(from, makers, now)),
    insertResult: (result) =>
      write(async (transaction) => {
        await insertResult(transaction, result)
        results += 1
        if (results % pruneEvery === 0) await prune(transaction, retention, result.closedAt ?? result.closesAt)
      }),
    findResult: (rfqId) => read((from) => findResult(from, rfqId)),
    listObservations: (filters) => read((from) => listObservations(from, filters)),
    readSync: () => read((from) => readSync(from)),
    applyBlocks: (update) => write((transaction) => applyBlocks(transaction, update)),
    rollBack: (to) => write((transaction) => rollBack(transaction, to)),
    findCheckpoint: (atMost) => read((from) => findCheckpoint(from, atMost)),
    listPools: () => read((from) => listPools(from)),
    listSeries: (poolId) => read((from) => listSeries(from, poolId)),
    listOpenPositions: (account) => read((from) => listOpenPositions(from, account)),
    ping: () => read(async (from) => void (await from.selectFrom('identity').select('key').limit(1).execute())),
    close: () => {
      closing ??= group.drain().then(() => db.destroy())
      return closing
    },
  }
}

async function claim(
  transaction: Transaction<Tables>,
  identity: Parameters<Store['claim']>[0],
  file: string,
): Promise<void> {
  const wanted = {
    chainId: String(identity.chainId),
    genesisHash: identity.genesisHash.toLowerCase(),
    quoteMarket: identity.quoteMarket.toLowerCase(),
  }
  await transaction
    .insertInto('identity')
    .values(Object.entries(wanted).map(([key, value]) => ({ key, value })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const rows = await transaction.selectFrom('identity').selectAll().execute()
  const found = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const names = { chainId: 'chain id', genesisHash: "chain's first block", quoteMarket: 'quote market' }
  for (const [key, name] of Object.entries(names)) {
    const [is, want] = [found[key], wanted[key as keyof typeof wanted]]
    if (is !== want) {
      throw new WrongDatabaseError(
        `The database ${file} holds quotes of another chain or market (${name} ${is}, not ${want}); set DATA_DIR to another directory, or delete this one.`,
      )
    }
  }
}
