// Why: docs/decisions/0019-group-commit.md
import type { BlockRef } from '@firmquote/core'
import { OutcomeUnknownError } from '../../ports/errors.ts'
import type {
  AcceptOutcome,
  ChainUndoing,
  ChainUpdate,
  ControlChange,
  NewAuction,
  NewClose,
  NewQuote,
  NewRatePoints,
  OpenedAuction,
  ProofStore,
  PublishedLimit,
  Store,
  StoredLog,
} from '../../ports/store.ts'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { type Acceptance, acceptQuote } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import { applyBlocks, type Finality, finalize, rollBack } from '../sqlStore/chain/chainRows.ts'
import { dateFills } from '../sqlStore/chain/fillDayRows.ts'
import { addRatePoints } from '../sqlStore/chain/rateRows.ts'
import { changeControls } from '../sqlStore/controls/controlRows.ts'
import { type Identity, insertIdentity, probe } from '../sqlStore/identityRows.ts'
import { closeProvableAuction, openProvableAuction } from '../sqlStore/proofs/auctionProofRows.ts'
import { advanceLog, startLog } from '../sqlStore/proofs/logRows.ts'
import { type InsertedQuote, insertListedQuote } from '../sqlStore/quotes/insertQuotes.ts'
import { prune, type Retention } from '../sqlStore/retention.ts'
import type { DatabaseSettings, OpenDatabase, RunScript } from './openDatabase.ts'
import { isStoreError } from './sqliteFailure.ts'

/** The writer's settings, as plain data that its thread can receive. */
export type WriterSettings = DatabaseSettings & {
  retention: Retention
  /** Number of writes between pruning runs. */
  pruneEvery: number
}

/**
 * All operations that change the database. Each operation takes one argument of plain data, which may come from another
 * thread. Each operation is idempotent, so that it can be retried after an unknown outcome.
 */
export type WriteOperations = {
  claim(identity: Identity): void
  insertQuote(given: { quote: NewQuote; limit: PublishedLimit | undefined }): InsertedQuote
  openAuction(auction: NewAuction): OpenedAuction
  acceptQuote(acceptance: Acceptance): AcceptOutcome
  closeAuction(close: NewClose): Awaited<ReturnType<Store['closeAuction']>>
  applyBlocks(update: ChainUpdate): void
  rollBack(undoing: ChainUndoing): void
  finalize(given: Finality): void
  addRatePoints(given: NewRatePoints): void
  dateFills(blocks: readonly BlockRef[]): void
  startLog(first: Parameters<ProofStore['startLog']>[0]): StoredLog
  advanceLog(at: number): StoredLog | null
  changeControls(change: ControlChange): number | null
  probe(_: null): void
}

/**
 * Creates one connection's operations. The operations also prune a bounded number of rows after every `pruneEvery`
 * writes.
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
    claim: (identity) => run(insertIdentity(identity, locationOf(file))),
    insertQuote({ quote, limit }) {
      const inserted = run(insertListedQuote(quote, limit))
      tidy(quote.createdAt)
      return inserted
    },
    openAuction(auction) {
      const opened = run(openProvableAuction(auction))
      tidy(auction.rfq.openedAt)
      return opened
    },
    acceptQuote(acceptance) {
      const outcome = run(acceptQuote(acceptance))
      tidy(acceptance.at)
      return outcome
    },
    closeAuction(close) {
      const closed = run(closeProvableAuction(close))
      tidy(close.at)
      return closed
    },
    applyBlocks: (update) => run(applyBlocks(update)),
    rollBack: (undoing) => run(rollBack(undoing)),
    finalize: (given) => run(finalize(given)),
    addRatePoints: (given) => run(addRatePoints(given)),
    dateFills: (blocks) => run(dateFills(blocks)),
    startLog: (first) => run(startLog(first)),
    advanceLog: (at) => run(advanceLog(at)),
    changeControls: (change) => run(changeControls(change)),
    probe: () => run(probe()),
  }
}

/** Returns the database's name and a remedy, for error messages. */
function locationOf(file: string) {
  return {
    database: `The database ${file}`,
    remedy: 'set DATA_DIR to another directory, or delete this one',
  }
}

/** The name of a write operation. */
export type WriteName = keyof WriteOperations

/** A write as plain data. */
export type WriteRequest = {
  [Name in WriteName]: [name: Name, argument: Parameters<WriteOperations[Name]>[0]]
}[WriteName]

/** A write's outcome after its commit. */
export type WriteAnswer = { value: unknown } | { error: unknown }

/**
 * Commits writes in groups. All writes that arrive during one commit share the next commit and its wait for the disk. If a group fails, it is rolled
 * back and its writes are retried one by one, so that one bad write does not fail the others. An error that affects the
 * database, or an unknown outcome, applies to the whole group.
 *
 * @param answer receives each group's answers in order, after its commit.
 * @returns a function that accepts requests.
 */
export function serveWrites(
  { transact }: Pick<OpenDatabase, 'transact'>,
  operations: WriteOperations,
  answer: (answers: WriteAnswer[]) => void,
): (requests: readonly WriteRequest[]) => void {
  let waiting: WriteRequest[] = []
  let running = false

  const perform = ([name, argument]: WriteRequest): WriteAnswer => {
    const operation = operations[name] as (argument: unknown) => unknown
    return { value: operation(argument) }
  }

  const commit = (group: readonly WriteRequest[]): WriteAnswer[] => {
    try {
      return transact(() => group.map(perform))
    } catch (error) {
      const isOfAll = group.length === 1 || error instanceof OutcomeUnknownError || isStoreError(error)
      return isOfAll ? group.map(() => ({ error })) : group.flatMap((request) => commit([request]))
    }
  }

  const serve = async () => {
    running = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      answer(commit(group))
      // Receives the requests that arrived during the commit.
      await yieldToEventLoop()
    }
    running = false
  }

  return (requests) => {
    waiting.push(...requests)
    if (!running) void serve()
  }
}
