import { encodeJson } from '@firmquote/core/utils'
import { type OpenDatabase, openDatabase } from '../../../apps/server/src/adapters/sqliteStore/openDatabase.ts'
import { createWriteOperations } from '../../../apps/server/src/adapters/sqliteStore/writes.ts'
import {
  findAuctionEntry,
  listObservations,
  listQuotedAuctions,
} from '../../../apps/server/src/adapters/sqlStore/auctions/acceptedQuoteRows.ts'
import {
  findAuction,
  findAuctionByKey,
  listOpenAuctions,
} from '../../../apps/server/src/adapters/sqlStore/auctions/auctionRows.ts'
import { listCommitments } from '../../../apps/server/src/adapters/sqlStore/auctions/commitmentRows.ts'
import { listTaken } from '../../../apps/server/src/adapters/sqlStore/auctions/takerRows.ts'
import {
  findCheckpoint,
  findSyncPosition,
  listOpenPositions,
  listPools,
  listSeries,
} from '../../../apps/server/src/adapters/sqlStore/chain/chainRows.ts'
import { listLargestFills } from '../../../apps/server/src/adapters/sqlStore/chain/fillRows.ts'
import { listExpiredSeries } from '../../../apps/server/src/adapters/sqlStore/chain/positionRows.ts'
import { publicationOf } from '../../../apps/server/src/adapters/sqlStore/quotes/insertQuotes.ts'
import { listQuotes } from '../../../apps/server/src/adapters/sqlStore/quotes/quotePages.ts'
import { countQuotes, findQuote } from '../../../apps/server/src/adapters/sqlStore/quotes/quoteRows.ts'
import type { PreparedQuery } from '../../../apps/server/src/adapters/sqlStore/sql/preparedQuery.ts'
import { run, type Script } from '../../../apps/server/src/adapters/sqlStore/sql/script.ts'
import {
  findUnfinalizedBlock,
  listPendingUpdates,
  listStatuses,
} from '../../../apps/server/src/adapters/sqlStore/statuses/statusRows.ts'
import type { Store, StoreWrite } from '../../../apps/server/src/ports/store.ts'

/** Prepared store queries that histories use. */
const queries = {
  ...{ countQuotes, findAuction, findAuctionByKey, findAuctionEntry, findCheckpoint, findQuote, findSyncPosition },
  ...{
    findUnfinalizedBlock,
    listCommitments,
    listPendingUpdates,
    listObservations,
    listOpenAuctions,
    listPools,
    listQuotedAuctions,
    listQuotes,
  },
  ...{ listExpiredSeries, listLargestFills, listOpenPositions, listSeries, listStatuses, listTaken },
}

type Method = keyof typeof queries | Exclude<StoreWrite, 'claim' | 'addRatePoints' | 'dateFills' | 'changeControls'>

/** The store methods that histories use. They are all synchronous. */
export type SimDatabase = {
  [Name in Method]: (...given: Parameters<Store[Name]>) => Awaited<ReturnType<Store[Name]>>
} & {
  /** Deletes each open auction's newest row, simulating a write lost because the disk was not flushed. */
  loseNewest(): void
}

const settings = {
  file: ':memory:',
  cacheMiB: 1,
  retention: { milliseconds: 30 * 86_400_000, auctionQuotes: 100_000 },
  pruneEvery: 16,
}

/** A connection shared by successive histories, since opening one takes as long as running a short history. */
let connection: Promise<OpenDatabase> | null = null

/** A statement without parameters. */
const statement = (text: string): PreparedQuery<unknown, unknown> => {
  const compiled = { sql: text, bind: () => [] }
  return { sqlite: compiled, postgres: compiled }
}
const [begin, rollBack] = [statement('begin'), statement('rollback')]
const newestLost = [
  "delete from auction_quotes where (auction_id, seq) in (select id, last_seq from auctions where state = 'open')",
  "update auctions set last_seq = last_seq - 1 where state = 'open' and last_seq > 0",
].map(statement)

async function beginHistory(): Promise<OpenDatabase> {
  connection ??= openDatabase(settings).then((opened) => {
    opened.run(run(begin))
    return opened
  })
  const database = await connection
  database.run(run(rollBack))
  database.run(run(begin))
  return database
}

/**
 * Creates an empty SQLite database with the server's schema. Drops the previous one.
 *
 * @param sharedClock clock for the lease of instances that share the database, in milliseconds; null if one process
 * owns the database.
 * @param change function that adds defects.
 */
export async function createSimDatabase(
  sharedClock: (() => number) | null,
  change: (sound: SimDatabase) => SimDatabase = (sound) => sound,
): Promise<SimDatabase> {
  const database = await beginHistory()
  const operations = createWriteOperations(settings, database.run)
  let lease: { holder: string; until: number } | null = null

  /** Query results, cached until the next write since instances poll the same rows. */
  const answers = new Map<string, unknown>()
  const write = <T>(work: () => T): T => {
    answers.clear()
    return database.transact(work)
  }
  const asked = Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [
      name,
      (...given: unknown[]) => {
        const key = `${name} ${encodeJson(given)}`
        if (!answers.has(key))
          answers.set(key, database.run((query as (...given: unknown[]) => Script<unknown>)(...given)))
        return answers.get(key)
      },
    ]),
  ) as unknown as Pick<SimDatabase, keyof typeof queries>

  const sound: SimDatabase = {
    ...asked,
    insertQuote(quote, limit) {
      return publicationOf(
        quote,
        write(() => operations.insertQuote({ quote, limit })),
      )
    },
    openAuction: (auction) => write(() => operations.openAuction(auction)),
    acceptQuote: (quote, at) => write(() => operations.acceptQuote({ quote, at })),
    closeAuction: (close) => write(() => operations.closeAuction(close)),
    applyBlocks: (update) => write(() => operations.applyBlocks(update)),
    rollBack: (undoing) => write(() => operations.rollBack(undoing)),
    finalize: (block, at) => write(() => operations.finalize({ block, at })),
    holdLease(holder, milliseconds) {
      if (!sharedClock) return true
      // The instances' clocks are wrong in a history, so leases follow the simulated time.
      const now = sharedClock()
      if (lease && lease.holder !== holder && lease.until > now) return false
      lease = { holder, until: now + milliseconds }
      return true
    },
    loseNewest: () => write(() => newestLost.map((one) => database.run(run(one)))),
  }
  return change(sound)
}
