import type { RFQResult } from '@firmquote/core'
import type { ChainUpdate, NewAuctionQuote, NewQuote, Store } from '../../ports/store.ts'
import { insertResult } from './auctionRows.ts'
import { applyBlocks, rollBack } from './chainRows.ts'
import { type Identity, insertIdentity } from './identityRows.ts'
import { type InsertedQuote, insertAuctionQuote, insertListedQuote } from './insertQuotes.ts'
import type { RunQuery } from './preparedQuery.ts'
import { prune, type Retention } from './retention.ts'

/** What the writing connection needs. All of it is plain data: it travels to the thread that writes. */
export type WriterOptions = {
  /** A path, or `:memory:`. */
  file: string
  retention: Retention
  /** After how many writes old rows are looked for. */
  pruneEvery: number
}

/** Everything that changes the database. One argument each, of plain data, since it may come from another thread. */
export type WriteOperations = {
  claim(identity: Identity): void
  insertQuote(quote: NewQuote): InsertedQuote
  insertAuctionQuote(quote: NewAuctionQuote): void
  insertResult(result: RFQResult): void
  applyBlocks(update: ChainUpdate): void
  rollBack(to: Parameters<Store['rollBack']>[0]): void
}

/**
 * Creates the operations of one connection. Every `pruneEvery` rows they also forget what is too old, at most as many
 * rows again and some more.
 */
export function createWriteOperations({ file, retention, pruneEvery }: WriterOptions, run: RunQuery): WriteOperations {
  let writes = 0
  const tidy = (now: number) => {
    writes += 1
    if (writes % pruneEvery === 0) prune(run, retention, now)
  }

  return {
    claim: (identity) => insertIdentity(run, identity, file),
    insertQuote(quote) {
      const inserted = insertListedQuote(run, quote)
      tidy(quote.createdAt)
      return inserted
    },
    insertAuctionQuote(quote) {
      insertAuctionQuote(run, quote)
      tidy(quote.createdAt)
    },
    insertResult(result) {
      insertResult(run, result)
      tidy(result.closedAt ?? result.closesAt)
    },
    applyBlocks: (update) => applyBlocks(run, update),
    rollBack: (to) => rollBack(run, to),
  }
}
