// Why: docs/decisions/0037-status-log-per-maker.md
import type { Selectable } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { type ChangedQuote, type StatusUpdate, statusUpdateOf } from '../../../domain/statusUpdate.ts'
import {
  type PendingUpdates,
  type StatusUpdatePage,
  type StatusUpdateRecord,
  statusesKept,
} from '../../../ports/store.ts'
import { amountOf, blobOf, hexOf } from '../sql/blobs.ts'
import type { Tables } from '../sql/schema.ts'
import { ask, run, runAll, type Script } from '../sql/script.ts'
import {
  clearUnfinalized,
  insertStatus,
  pruneEarlier,
  selectFill,
  selectLastId,
  selectOldestSeq,
  selectPendingUpdates,
  selectSeq,
  selectStatuses,
  selectUnfinalized,
  selectUnfinalizedBlock,
  takeSeqs,
  updateLastStatus,
} from './statusQueries.ts'

/** A stored quote whose status changed, and the block in which it ended. */
export type ChangedRow = Pick<
  Selectable<Tables['quotes']>,
  'hash' | 'maker' | 'status' | 'told' | 'deadline' | 'seen_at'
>

/** The time and block to store with status updates. */
export type StatusOutbox = {
  /** Unix milliseconds. */
  at: number
  /** The newest synced block and its timestamp in Unix seconds, or null if no block is synced. */
  newest: { number: number; timestamp: number } | null
}

/** Enqueues status updates for these quotes, in block order. */
export function* enqueueStatusUpdates(changed: readonly ChangedRow[], { at, newest }: StatusOutbox): Script<void> {
  const now = newest?.timestamp ?? 0
  const ends = changed.map((row) => ({ row, end: row.seen_at === null ? null : parseEnd(row.seen_at) }))
  ends.sort((a, b) => (a.end?.block ?? 0) - (b.end?.block ?? 0))
  const told = ends.flatMap(({ row, end }) => {
    const quote: ChangedQuote = { status: row.status, told: row.told === 1, isOver: row.deadline < now }
    const status = statusUpdateOf(quote)
    return status === null ? [] : [{ row, end, status }]
  })
  if (told.length === 0) return
  const fills = yield* findFills(told.filter(({ status }) => status === 'filled').map(({ row }) => row))
  yield* insertUpdates(
    told.map(({ row, end, status }) => ({
      maker: row.maker,
      hash: row.hash,
      status,
      final: 0,
      // An `active` update reverts the quote's end, so there is nothing left to finalize.
      unsettled: status === 'active' ? 0 : 1,
      block_number: end?.block ?? newest?.number ?? 0,
      transaction_hash: end ? blobOf(end.transactionHash) : null,
      ...(fills.get(row) ?? noFill),
      told_at: at,
    })),
  )
  const hashesOf = (isOpen: boolean) =>
    told.filter(({ status }) => (status === 'active') === isOpen).map(({ row }) => row.hash)
  yield* runAll([
    ask(updateLastStatus, { hashes: hashesOf(true), told: 0 }),
    ask(updateLastStatus, { hashes: hashesOf(false), told: 1 }),
  ])
}

/**
 * Enqueues final status updates for the oldest updates up to a block, {@link finalAtOnce} at most.
 *
 * @returns the hashes of the affected quotes.
 */
export function* enqueueFinalUpdates({ through, at }: { through: number; at: number }): Script<Buffer[]> {
  const rows = yield* run(selectUnfinalized, { through, limit: finalAtOnce })
  yield* insertUpdates(rows.map(({ id: _, seq: __, ...row }) => ({ ...row, final: 1, unsettled: 0, told_at: at })))
  return rows.map(({ hash }) => hash)
}

/** A maker's status updates after a sequence number. */
export function* listStatuses(maker: Hex, page: { after: number; limit: number }): Script<StatusUpdatePage> {
  const given = { maker: blobOf(maker) }
  const newest = (yield* run(selectSeq, given))[0]?.last_seq ?? 0
  const oldest = (yield* run(selectOldestSeq, given))[0]?.seq ?? newest + 1
  return { statuses: (yield* run(selectStatuses, { ...given, ...page })).map(statusRecord), oldest, newest }
}

/** All makers' status updates after an ID. */
export function* listPendingUpdates(after: number | null): Script<PendingUpdates> {
  if (after === null) return { last: (yield* run(selectLastId))[0]?.last ?? 0, told: [] }
  const rows = yield* run(selectPendingUpdates, { after })
  return {
    last: rows.at(-1)?.id ?? after,
    told: rows.map(({ maker, status, final }) => ({
      maker: getAddress(hexOf(maker)),
      status: status as StatusUpdate,
      final: final === 1,
    })),
  }
}

/** The lowest block with an update that is not yet final. */
export function* findUnfinalizedBlock(): Script<bigint | null> {
  const lowest = (yield* run(selectUnfinalizedBlock))[0]?.lowest ?? null
  return lowest === null ? null : BigInt(lowest)
}

const finalAtOnce = 500
const noFill = { taker: null, notional: null, cost: null, position_id: null }

type Fill = Pick<Tables['quote_statuses'], keyof typeof noFill>

/** These quotes' fills. The contract opens the position immediately before it reports the fill. */
function* findFills(filled: readonly ChangedRow[]): Script<ReadonlyMap<ChangedRow, Fill>> {
  const found = yield* runAll(filled.map(({ hash, maker }) => ask(selectFill, { hash, maker })))
  return new Map(
    filled.flatMap((row, index): [ChangedRow, Fill][] => {
      const [position] = found[index] ?? []
      if (!position) return []
      const { borrower: taker, notional, cost, position_id } = position
      return [[row, { taker, notional, cost, position_id }]]
    }),
  )
}

/** Inserts status updates in order. Each update supersedes its quote's earlier updates. */
function* insertUpdates(rows: readonly Omit<Tables['quote_statuses'], 'id' | 'seq'>[]): Script<void> {
  if (rows.length === 0) return
  yield* run(clearUnfinalized, { hashes: rows.map(({ hash }) => hash) })
  const makers = new Map<Hex, { maker: Buffer; count: number; last: number }>()
  const ofMaker = (maker: Buffer) => {
    const known = makers.get(hexOf(maker)) ?? { maker, count: 0, last: 0 }
    makers.set(hexOf(maker), known)
    return known
  }
  for (const { maker } of rows) ofMaker(maker).count += 1
  const taken = yield* runAll(Array.from(makers.values(), ({ maker, count }) => ask(takeSeqs, { maker, count })))
  for (const [index, known] of [...makers.values()].entries()) known.last = taken[index]?.[0]?.last_seq ?? known.count
  const numbered = rows.map((row) => {
    const known = ofMaker(row.maker)
    known.count -= 1
    return { ...row, seq: known.last - known.count }
  })
  yield* runAll<unknown>([
    ...numbered.map((row) => ask(insertStatus, row)),
    ...Array.from(makers.values(), ({ maker, last }) =>
      ask(pruneEarlier, { maker, through: last - statusesKept.perMaker }),
    ),
  ])
}

function parseEnd(seenAt: string): { block: number; transactionHash: Hex } {
  const { blockNumber, transactionHash } = JSON.parse(seenAt) as { blockNumber: string; transactionHash: Hex }
  return { block: Number(blockNumber), transactionHash }
}

function statusRecord(row: Omit<Tables['quote_statuses'], 'id'>): StatusUpdateRecord {
  return {
    seq: row.seq,
    hash: hexOf(row.hash),
    status: row.status,
    final: row.final === 1,
    block: row.block_number,
    ...(row.transaction_hash && { transactionHash: hexOf(row.transaction_hash) }),
    ...(row.taker && { taker: getAddress(hexOf(row.taker)) }),
    ...(row.notional && { notional: amountOf(row.notional) }),
    ...(row.cost && { cost: amountOf(row.cost) }),
    ...(row.position_id && { positionId: amountOf(row.position_id) }),
  }
}
