import type { Hex } from 'viem'
import { openDatabase } from '../../../apps/server/src/adapters/sqliteStore/openDatabase.ts'
import { createWriteOperations } from '../../../apps/server/src/adapters/sqliteStore/writeOperations.ts'
import { findAuctionEntry, listObservations } from '../../../apps/server/src/adapters/sqlStore/acceptedQuoteRows.ts'
import {
  findAuction,
  findAuctionByKey,
  listOpenAuctions,
} from '../../../apps/server/src/adapters/sqlStore/auctionRows.ts'
import {
  findCheckpoint,
  findSyncPosition,
  listPools,
  listSeries,
} from '../../../apps/server/src/adapters/sqlStore/chainRows.ts'
import { listCommitments } from '../../../apps/server/src/adapters/sqlStore/commitmentRows.ts'
import { publicationOf } from '../../../apps/server/src/adapters/sqlStore/insertQuotes.ts'
import { listQuotes } from '../../../apps/server/src/adapters/sqlStore/quotePages.ts'
import { countQuotes, findQuote } from '../../../apps/server/src/adapters/sqlStore/quoteRows.ts'
import {
  findUnsettledBlock,
  listNewlyTold,
  listStatuses,
} from '../../../apps/server/src/adapters/sqlStore/statusRows.ts'
import type { MemoryDatabase } from './memoryDatabase.ts'

const settings = {
  file: ':memory:',
  cacheMiB: 1,
  retention: { milliseconds: 30 * 86_400_000, auctionQuotes: 100_000 },
  pruneEvery: 16,
}

/** Creates an empty database of the service's own SQL. Its `close` is to be called in the end. */
export async function createSqliteDatabase(): Promise<MemoryDatabase & { close(): void }> {
  const { run, transact, close } = await openDatabase(settings)
  const operations = createWriteOperations(settings, run)
  const hashes = new Set<Hex>()
  return {
    close,
    quotes: () => [...hashes].flatMap((hash) => run(findQuote(hash)) ?? []),
    insertQuote(quote) {
      hashes.add(quote.hash)
      return publicationOf(
        quote,
        transact(() => operations.insertQuote(quote)),
      )
    },
    openAuction: (auction) => transact(() => operations.openAuction(auction)),
    acceptQuote(quote, at) {
      hashes.add(quote.hash)
      return transact(() => operations.acceptQuote({ quote, at }))
    },
    closeAuction: (given) => transact(() => operations.closeAuction(given)),
    applyBlocks: (update) => transact(() => operations.applyBlocks(update)),
    rollBack: (undoing) => transact(() => operations.rollBack(undoing)),
    holdLease: () => true,
    finalize: (block, at) => transact(() => operations.finalize({ block, at })),
    findUnsettledBlock: () => run(findUnsettledBlock()),
    listStatuses: (maker, page) => run(listStatuses(maker, page)),
    listNewlyTold: (after) => run(listNewlyTold(after)),
    findQuote: (hash) => run(findQuote(hash)),
    listQuotes: (filters, now) => run(listQuotes(filters, now)),
    countQuotes: (maker, now) => run(countQuotes(maker, now)),
    listCommitments: (makers, now) => run(listCommitments(makers, now)),
    findAuctionByKey: (key, since) => run(findAuctionByKey(key, since)),
    findAuction: (id, knownCount) => run(findAuction(id, knownCount)),
    findAuctionEntry: (publicRfqId, maker) => run(findAuctionEntry(publicRfqId, maker)),
    listOpenAuctions: () => run(listOpenAuctions()),
    listObservations: (filters) => run(listObservations(filters)),
    findSyncPosition: () => run(findSyncPosition()),
    findCheckpoint: (atMost) => run(findCheckpoint(atMost)),
    listPools: () => run(listPools()),
    listSeries: (poolId) => run(listSeries(poolId)),
  }
}
