import type { Selectable } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { type ChangedQuote, statusToTell, type ToldKind } from '../../domain/statusToTell.ts'
import { type NewlyTold, statusesKept, type ToldPage, type ToldStatus } from '../../ports/store.ts'
import { amountOf, blobOf, hexOf } from './blobs.ts'
import type { Tables } from './schema.ts'
import { run, type Script } from './script.ts'
import {
  clearUnsettled,
  forgetEarlier,
  insertStatus,
  nextSeq,
  selectFill,
  selectLastId,
  selectNewlyTold,
  selectOldestSeq,
  selectSeq,
  selectStatuses,
  selectUnsettled,
  selectUnsettledBlock,
  updateTold,
} from './statusQueries.ts'

/** A stored quote that the chain has changed, with where its end was seen. */
export type ChangedRow = Pick<
  Selectable<Tables['quotes']>,
  'hash' | 'maker' | 'status' | 'told' | 'deadline' | 'seen_at'
>

/** When something is told, and by which block. */
export type Telling = {
  /** Unix milliseconds. */
  at: number
  /** The newest synced block, with its time in Unix seconds; null when there is none. */
  newest: { number: number; timestamp: number } | null
}

/** Writes what the makers of these quotes are told, in the order of the blocks. */
export function* tellStatuses(changed: readonly ChangedRow[], { at, newest }: Telling): Script<void> {
  const now = newest?.timestamp ?? 0
  const ends = changed.map((row) => ({ row, end: row.seen_at === null ? null : parseEnd(row.seen_at) }))
  ends.sort((a, b) => (a.end?.block ?? 0) - (b.end?.block ?? 0))
  for (const { row, end } of ends) {
    const quote: ChangedQuote = { status: row.status, told: row.told === 1, isOver: row.deadline < now }
    const status = statusToTell(quote)
    if (status === null) continue
    yield* run(clearUnsettled, { hash: row.hash })
    yield* tell({
      maker: row.maker,
      hash: row.hash,
      status,
      final: 0,
      // What was told before has ended: there is nothing that could become final.
      unsettled: status === 'active' ? 0 : 1,
      block_number: end?.block ?? newest?.number ?? 0,
      transaction_hash: end ? blobOf(end.transactionHash) : null,
      ...(status === 'filled' ? yield* findFill(row) : noFill),
      told_at: at,
    })
    const told = status === 'active' ? 0 : 1
    if (told !== row.told) yield* run(updateTold, { hash: row.hash, told })
  }
}

/**
 * Tells once more, as final, what was told of blocks up to a number: the oldest first, so many at once.
 *
 * @returns the hashes of their quotes.
 */
export function* tellFinal({ through, at }: { through: number; at: number }): Script<Buffer[]> {
  const rows = yield* run(selectUnsettled, { through, limit: finalAtOnce })
  for (const { id: _, seq: __, ...row } of rows) {
    yield* run(clearUnsettled, { hash: row.hash })
    yield* tell({ ...row, final: 1, unsettled: 0, told_at: at })
  }
  return rows.map(({ hash }) => hash)
}

/** What one maker was told after a number. */
export function* listStatuses(maker: Hex, page: { after: number; limit: number }): Script<ToldPage> {
  const given = { maker: blobOf(maker) }
  const newest = (yield* run(selectSeq, given))[0]?.last_seq ?? 0
  const oldest = (yield* run(selectOldestSeq, given))[0]?.seq ?? newest + 1
  return { statuses: (yield* run(selectStatuses, { ...given, ...page })).map(toldStatus), oldest, newest }
}

/** What was told to all makers after a place. */
export function* listNewlyTold(after: number | null): Script<NewlyTold> {
  if (after === null) return { last: (yield* run(selectLastId))[0]?.last ?? 0, told: [] }
  const rows = yield* run(selectNewlyTold, { after })
  return {
    last: rows.at(-1)?.id ?? after,
    told: rows.map(({ maker, status, final }) => ({
      maker: getAddress(hexOf(maker)),
      status: status as ToldKind,
      final: final === 1,
    })),
  }
}

/** The lowest block of what was told and is not final. */
export function* findUnsettledBlock(): Script<bigint | null> {
  const lowest = (yield* run(selectUnsettledBlock))[0]?.lowest ?? null
  return lowest === null ? null : BigInt(lowest)
}

const finalAtOnce = 500
const noFill = { taker: null, notional: null, cost: null, position_id: null }

/** The contract opens a position right before it says that the quote is filled. */
function* findFill({ hash, maker }: ChangedRow) {
  const [position] = yield* run(selectFill, { hash, maker })
  if (!position) return noFill
  const { borrower: taker, notional, cost, position_id } = position
  return { taker, notional, cost, position_id }
}

function* tell(row: Omit<Tables['quote_statuses'], 'id' | 'seq'>): Script<void> {
  const seq = (yield* run(nextSeq, { maker: row.maker }))[0]?.last_seq ?? 1
  yield* run(insertStatus, { ...row, seq })
  yield* run(forgetEarlier, { maker: row.maker, through: seq - statusesKept.perMaker })
}

function parseEnd(seenAt: string): { block: number; transactionHash: Hex } {
  const { blockNumber, transactionHash } = JSON.parse(seenAt) as { blockNumber: string; transactionHash: Hex }
  return { block: Number(blockNumber), transactionHash }
}

function toldStatus(row: Omit<Tables['quote_statuses'], 'id'>): ToldStatus {
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
