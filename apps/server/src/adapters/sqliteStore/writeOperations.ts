import type { RFQResult } from '@firmquote/core'
import type { Transaction } from 'kysely'
import type { ChainUpdate, NewAuctionQuote, NewQuote, Store } from '../../ports/store.ts'
import { insertResult } from './auctionRows.ts'
import { applyBlocks, rollBack } from './chainRows.ts'
import { type Identity, insertIdentity } from './identityRows.ts'
import { type InsertedQuote, insertAuctionQuote, insertListedQuote } from './insertQuotes.ts'
import type { RunQuery } from './preparedQuery.ts'
import { prune, type Retention } from './retention.ts'
import type { Tables } from './schema.ts'

/** What whoever writes has to know. All of it is plain data: it travels to the thread that writes. */
export type WriterOptions = {
  /** A path, or `:memory:`. */
  file: string
  retention: Retention
  /** After how many writes old rows are looked for. */
  pruneEvery: number
}

/** Everything that changes the database. One argument each, of plain data, since it may come from another thread. */
export type WriteOperations = {
  claim(transaction: Transaction<Tables>, identity: Identity): Promise<void>
  insertQuote(transaction: Transaction<Tables>, quote: NewQuote): Promise<InsertedQuote>
  insertAuctionQuote(transaction: Transaction<Tables>, quote: NewAuctionQuote): Promise<void>
  insertResult(transaction: Transaction<Tables>, result: RFQResult): Promise<void>
  applyBlocks(transaction: Transaction<Tables>, update: ChainUpdate): Promise<void>
  rollBack(transaction: Transaction<Tables>, to: Parameters<Store['rollBack']>[0]): Promise<void>
}

/** Creates the operations of one connection. Every so many rows they also forget what is too old, at most as many again and some more. */
export function createWriteOperations({ file, retention, pruneEvery }: WriterOptions, run: RunQuery): WriteOperations {
  let writes = 0
  const tidy = async (transaction: Transaction<Tables>, now: number) => {
    writes += 1
    if (writes % pruneEvery === 0) await prune(transaction, retention, now)
  }

  return {
    claim: (transaction, identity) => insertIdentity(transaction, identity, file),
    async insertQuote(transaction, quote) {
      const inserted = await insertListedQuote(transaction, run, quote)
      await tidy(transaction, quote.createdAt)
      return inserted
    },
    async insertAuctionQuote(transaction, quote) {
      await insertAuctionQuote(transaction, run, quote)
      await tidy(transaction, quote.createdAt)
    },
    async insertResult(transaction, result) {
      await insertResult(transaction, result)
      await tidy(transaction, result.closedAt ?? result.closesAt)
    },
    applyBlocks,
    rollBack,
  }
}
