import { hash } from 'node:crypto'
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
  findOldestEnd,
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
import {
  findLeaf,
  findProof,
  findProvableAuction,
} from '../../../apps/server/src/adapters/sqlStore/proofs/auctionProofRows.ts'
import {
  appendEntry,
  findLog,
  findTile,
  listEntries,
} from '../../../apps/server/src/adapters/sqlStore/proofs/logRows.ts'
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
import { StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import type { ProofStore, Store, StoreWrite } from '../../../apps/server/src/ports/store.ts'

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

/** Prepared queries of provable auctions. */
const proofQueries = {
  ...{ findLog, findOldestEnd, listEntries, findTile, findProof },
  ...{ findLeaf, findAuction: findProvableAuction },
}

type Method = keyof typeof queries | Exclude<StoreWrite, 'claim' | 'addRatePoints' | 'dateFills' | 'changeControls'>

/** The store methods that histories use. They are all synchronous. */
export type SimDatabase = {
  [Name in Method]: (...given: Parameters<Store[Name]>) => Awaited<ReturnType<Store[Name]>>
} & {
  proofs: {
    [Name in keyof ProofStore]: (...given: Parameters<ProofStore[Name]>) => Awaited<ReturnType<ProofStore[Name]>>
  }
  /** Kills the process before the statement of a write that is the `after`th from now. The write is rolled back. */
  killWithin(after: number, kill: () => void): void
  /** Appends an entry to the log, as only a defect does. */
  appendEntry(entry: Uint8Array): void
  /** Deletes the log's newest entry, as only a defect does. */
  dropNewestEntry(): void
  /** Forgets which entries have a checkpoint, as only a defect does. */
  rebuildLog(): void
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
const entryDropped = [
  // The schema forbids deletions. The trigger is back in the next history.
  'drop trigger if exists log_entries_without_delete',
  'delete from log_entries where position = (select max(position) from log_entries) and position > 0',
].map(statement)
/** The root of an empty tree is the hash of nothing. */
const logEmptied = statement(`update logs set size = 0, root = x'${hash('sha256', '')}'`)

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
  let killing: { after: number; kill: () => void } | null = null
  const operations = createWriteOperations(settings, (script) => database.run(interrupted(script)))
  let lease: { holder: string; until: number } | null = null

  /** Query results, cached until the next write since instances poll the same rows. */
  const answers = new Map<string, unknown>()
  const write = <T>(work: () => T): T => {
    answers.clear()
    return database.transact(work)
  }
  const cached = (scope: string, scripts: object) =>
    Object.fromEntries(
      Object.entries(scripts).map(([name, query]) => [
        name,
        (...given: unknown[]) => {
          const key = `${scope}${name} ${encodeJson(given)}`
          if (!answers.has(key))
            answers.set(key, database.run((query as (...given: unknown[]) => Script<unknown>)(...given)))
          return answers.get(key)
        },
      ]),
    )
  const asked = cached('', queries) as unknown as Pick<SimDatabase, keyof typeof queries>
  const askedProofs = cached('proofs.', proofQueries) as unknown as Pick<
    SimDatabase['proofs'],
    keyof typeof proofQueries
  >

  /** Runs a write's script, which a kill may end between two of its statements. */
  function* interrupted<Result>(script: Script<Result>): Script<Result> {
    let step = script.next()
    while (!step.done) {
      if (killing !== null && killing.after === 0) {
        const { kill } = killing
        killing = null
        kill()
        throw new StorageUnavailableError('The process was killed within a write.')
      }
      if (killing !== null) killing.after -= 1
      step = script.next(yield step.value)
    }
    return step.value
  }

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
    proofs: {
      ...askedProofs,
      startLog: (first) => write(() => operations.startLog(first)),
      advanceLog: (at) => write(() => operations.advanceLog(at)),
    },
    killWithin(after, kill) {
      killing = { after, kill }
    },
    appendEntry: (entry) => write(() => void database.run(appendEntry(entry))),
    dropNewestEntry: () => write(() => void entryDropped.map((one) => database.run(run(one)))),
    rebuildLog: () => write(() => void database.run(run(logEmptied))),
    loseNewest: () => write(() => newestLost.map((one) => database.run(run(one)))),
  }
  return change(sound)
}
