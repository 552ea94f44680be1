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

/** What the writing connection needs. All of it is plain data: it travels to the thread that writes. */
export type WriterSettings = DatabaseSettings & {
  retention: Retention
  /** After how many writes old rows are looked for. */
  pruneEvery: number
}

/**
 * Everything that changes the database. One argument each, of plain data, since it may come from another thread. Each may be
 * repeated: when it is not known whether it was stored, the same again finds out.
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

/**
 * Creates the operations of one connection. Every `pruneEvery` rows they also forget what is too old, at most as many
 * rows again and some more.
 */
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
    claim: (identity) => run(insertIdentity(identity, placeOf(file))),
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

/** A file in words, and what to do where it is the wrong one. */
function placeOf(file: string) {
  return {
    database: `The database ${file}`,
    remedy: 'set DATA_DIR to another directory, or delete this one',
  }
}
