import type {
  AcceptOutcome,
  ChainUndoing,
  ChainUpdate,
  NewAuction,
  NewClose,
  NewQuote,
  NewRatePoints,
  OpenedAuction,
  Store,
} from '../../ports/store.ts'
import { type Acceptance, acceptQuote } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import { closeAuction, openAuction } from '../sqlStore/auctions/auctionRows.ts'
import { applyBlocks, type Finality, finalize, rollBack } from '../sqlStore/chain/chainRows.ts'
import { addRatePoints } from '../sqlStore/chain/rateRows.ts'
import { type Identity, insertIdentity, probe } from '../sqlStore/identityRows.ts'
import { type InsertedQuote, insertListedQuote } from '../sqlStore/quotes/insertQuotes.ts'
import { prune, type Retention } from '../sqlStore/retention.ts'
import type { DatabaseSettings, RunScript } from './openDatabase.ts'

/** Settings of the writer, as plain data for its thread. */
export type WriterSettings = DatabaseSettings & {
  retention: Retention
  /** Number of writes between two prunings. */
  pruneEvery: number
}

/**
 * All operations that change the database. Each has one argument of plain data, because it may come from another thread. Each is idempotent, so it
 * can be repeated after an unknown outcome.
 */
export type WriteOperations = {
  claim(identity: Identity): void
  insertQuote(quote: NewQuote): InsertedQuote
  openAuction(auction: NewAuction): OpenedAuction
  acceptQuote(acceptance: Acceptance & { at: number }): AcceptOutcome
  closeAuction(close: NewClose): Awaited<ReturnType<Store['closeAuction']>>
  applyBlocks(update: ChainUpdate): void
  rollBack(undoing: ChainUndoing): void
  finalize(given: Finality): void
  addRatePoints(given: NewRatePoints): void
  probe(_: null): void
}

/** Creates the operations of one connection. They also prune after every `pruneEvery` writes, a bounded number of rows at a time. */
export function createWriteOperations(
  { file, retention, pruneEvery }: WriterSettings,
  run: RunScript,
): WriteOperations {
  let writes = 0
  const tidy = (now: number) => {
    writes += 1
    if (writes % pruneEvery === 0) run(prune(retention, now))
  }

  return {
    claim: (identity) => run(insertIdentity(identity, locationOf(file))),
    insertQuote(quote) {
      const inserted = run(insertListedQuote(quote))
      tidy(quote.createdAt)
      return inserted
    },
    openAuction(auction) {
      const opened = run(openAuction(auction))
      tidy(auction.rfq.openedAt)
      return opened
    },
    acceptQuote(acceptance) {
      const outcome = run(acceptQuote(acceptance))
      tidy(acceptance.at)
      return outcome
    },
    closeAuction(close) {
      const closed = run(closeAuction(close))
      tidy(close.at)
      return closed
    },
    applyBlocks: (update) => run(applyBlocks(update)),
    rollBack: (undoing) => run(rollBack(undoing)),
    finalize: (given) => run(finalize(given)),
    addRatePoints: (given) => run(addRatePoints(given)),
    probe: () => run(probe()),
  }
}

/** The name of the database, and a remedy, for error messages. */
function locationOf(file: string) {
  return {
    database: `The database ${file}`,
    remedy: 'set DATA_DIR to another directory, or delete this one',
  }
}
