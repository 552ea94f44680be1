import type { BlockRef } from '@firmquote/core'
import { getAddress, type Hex } from 'viem'
import type { ChainEvent, Pool, Position, Series } from '../../../ports/chain.ts'
import { CursorMovedError } from '../../../ports/errors.ts'
import type { ChainUndoing, ChainUpdate, SyncedBlock, SyncPosition } from '../../../ports/store.ts'
import { refreshQuotes, type Touched } from '../quotes/quoteEnds.ts'
import { pruneUnreferenced } from '../retention.ts'
import { amountBlob, amountOf, blobOf, hexOf } from '../sql/blobs.ts'
import { lockEndsExclusive, lockSync } from '../sql/locks.ts'
import type { EventPosition } from '../sql/schema.ts'
import { type Asked, ask, forEach, run, runAll, type Script } from '../sql/script.ts'
import { enqueueFinalUpdates } from '../statuses/statusRows.ts'
import {
  deleteBlocks,
  deleteCursor,
  deleteEnds,
  deleteOthers,
  deleteRaises,
  insertBlock,
  insertEnd,
  insertMissingBlock,
  insertPool,
  insertPosition,
  insertRaise,
  insertSeries,
  insertSettlement,
  markSettled,
  pruneBlocks,
  reopenPositions,
  selectBlocks,
  selectCursor,
  selectNewest,
  selectOpenPositions,
  selectPools,
  selectSeries,
  selectSeriesOfPool,
  upsertCursor,
} from './chainQueries.ts'
import { deriveDays, listDaysAbove } from './fillDayRows.ts'
import { positionOf } from './positionRows.ts'

/** The sync cursor and its newest blocks. */
export function* findSyncPosition(): Script<SyncPosition> {
  const [cursor] = yield* run(selectCursor)
  return {
    cursor: cursor
      ? { number: BigInt(cursor.number), hash: hexOf(cursor.hash), timestamp: BigInt(cursor.timestamp) }
      : null,
    blocks: (yield* run(selectBlocks)).map(({ number, hash }) => ({ number: BigInt(number), hash: hexOf(hash) })),
  }
}

/** Adds events and moves the cursor. Repeating an update has no effect. Fails if one of the events already exists. */
export function* applyBlocks(update: ChainUpdate): Script<void> {
  const { cursor } = update
  yield* run(lockSync)
  if (!(yield* isCursorAt(update.after, cursor))) return
  const hashes: Buffer[] = []
  const makers: Buffer[] = []
  yield* runAll(update.events.flatMap(insertsOf))
  for (const event of update.events) {
    if (event.fact.type === 'quoteEnded') hashes.push(blobOf(event.fact.hash))
    if (event.fact.type === 'nonceRaised') makers.push(blobOf(event.fact.maker))
  }
  yield* setCursor(cursor)
  yield* updateQuotes({ hashes, makers, at: update.at })
  yield* runAll(
    update.blocks.map(({ number, hash }) => ask(insertBlock, { number: Number(number), hash: blobOf(hash) })),
  )
  yield* run(pruneBlocks, { through: Number(cursor.number) - update.keep })
}

/**
 * Whether the cursor is at `from`. Returns false if it is already at `to`, so that a retry has no effect.
 *
 * @throws {CursorMovedError} if the cursor is at any other block.
 */
function* isCursorAt(from: SyncedBlock | null, to: SyncedBlock | null): Script<boolean> {
  const [found] = yield* run(selectCursor)
  const isAt = (block: SyncedBlock | null) =>
    found ? block !== null && BigInt(found.number) === block.number && hexOf(found.hash) === block.hash : block === null
  if (isAt(from)) return true
  if (isAt(to)) return false
  throw new CursorMovedError("The synced events do not follow the cursor's block.")
}

/** Removes all events above a block, or all events. Idempotent. */
export function* rollBack({ from, to, at }: ChainUndoing): Script<void> {
  yield* run(lockSync)
  if (!(yield* isCursorAt(from, to))) return
  const kept = to === null ? -1 : Number(to.number)
  const ends = yield* run(deleteEnds, { kept })
  const raises = yield* run(deleteRaises, { kept })
  yield* run(reopenPositions, { kept })
  const days = yield* listDaysAbove(kept)
  yield* runAll([...deleteOthers, deleteBlocks].map((query) => ask(query, { kept })))
  yield* deriveDays(days)
  if (to === null) yield* run(deleteCursor)
  else {
    yield* setCursor(to)
    // The block is already stored, unless it precedes all stored blocks.
    yield* run(insertMissingBlock, { number: kept, hash: blobOf(to.hash) })
  }
  yield* updateQuotes({ hashes: ends.map(({ hash }) => hash), makers: raises.map(({ maker }) => maker), at })
}

/** Updates the quotes affected by added or removed events. The lock ensures that no concurrent quote is missed. */
function* updateQuotes(touched: Required<Touched>): Script<void> {
  if (touched.hashes.length + touched.makers.length === 0) return
  yield* run(lockEndsExclusive)
  yield* refreshQuotes(touched)
}

/** A finalized block, and the time for its status updates, in Unix milliseconds. */
export type Finality = { block: SyncedBlock; at: number }

/**
 * Adds final status updates for the updates up to this block. The block must have an event. Each call processes a
 * bounded number of updates. Does nothing if the synced chain has a different block at this height.
 */
export function* finalize({ block, at }: Finality): Script<void> {
  yield* run(lockSync)
  const synced = yield* findCheckpoint(block.number)
  if (synced?.number !== block.number || synced.hash !== block.hash) return
  yield* pruneUnreferenced(yield* enqueueFinalUpdates({ through: Number(block.number), at }))
}

/** The newest block at or below `atMost` that has a stored event. */
export function* findCheckpoint(atMost: bigint): Script<SyncedBlock | null> {
  const found = yield* forEach(selectNewest, (query) => run(query, { atMost: Number(atMost) }))
  if (found.length === 0) return null
  const newest = found.reduce((best, block) => (block.block_number > best.block_number ? block : best))
  return { number: BigInt(newest.block_number), hash: hexOf(newest.block_hash) }
}

/** All pools in creation order. */
export function* listPools(): Script<Pool[]> {
  return (yield* run(selectPools)).map((row) => ({
    poolId: hexOf(row.pool_id),
    loanToken: getAddress(hexOf(row.loan_token)),
    adapter: getAddress(hexOf(row.adapter)),
    market: hexOf(row.market),
  }))
}

/** Series of one pool or of all pools, nearest expiry first. */
export function* listSeries(poolId?: Hex): Script<Series[]> {
  const rows =
    poolId === undefined ? yield* run(selectSeries) : yield* run(selectSeriesOfPool, { poolId: blobOf(poolId) })
  return rows.map((row) => ({
    poolId: hexOf(row.pool_id),
    seriesKey: hexOf(row.series_key),
    expiry: row.expiry,
    cap: amountOf(row.cap),
  }))
}

/** An account's unsettled positions, oldest first. */
export function* listOpenPositions(account: Hex): Script<(Position & Pick<Series, 'expiry'>)[]> {
  return (yield* run(selectOpenPositions, { account: blobOf(account) })).map((row) => ({
    ...positionOf(row),
    expiry: row.expiry,
  }))
}

function* setCursor({ number, hash, timestamp }: BlockRef): Script<void> {
  yield* run(upsertCursor, { number: Number(number), hash: blobOf(hash), timestamp: Number(timestamp) })
}

/** The statements that insert an event. */
function insertsOf({ fact, ...where }: ChainEvent): Asked[] {
  const at: EventPosition = {
    block_number: Number(where.blockNumber),
    block_hash: blobOf(where.blockHash),
    log_index: where.logIndex,
    transaction_hash: blobOf(where.transactionHash),
  }
  switch (fact.type) {
    case 'quoteEnded':
      return [ask(insertEnd, { ...at, hash: blobOf(fact.hash), status: fact.status })]
    case 'nonceRaised':
      return [ask(insertRaise, { ...at, maker: blobOf(fact.maker), nonce: amountBlob(fact.nonce) })]
    case 'poolCreated': {
      const [pool_id, loan_token] = [blobOf(fact.poolId), blobOf(fact.loanToken)]
      return [
        ask(insertPool, { ...at, pool_id, loan_token, adapter: blobOf(fact.adapter), market: blobOf(fact.market) }),
      ]
    }
    case 'seriesCreated': {
      const [series_key, pool_id] = [blobOf(fact.seriesKey), blobOf(fact.poolId)]
      return [ask(insertSeries, { ...at, series_key, pool_id, expiry: fact.expiry, cap: amountBlob(fact.cap) })]
    }
    case 'positionOpened': {
      const position = {
        position_id: amountBlob(fact.positionId),
        maker: blobOf(fact.maker),
        borrower: blobOf(fact.borrower),
        pool_id: blobOf(fact.poolId),
        series_key: blobOf(fact.seriesKey),
        notional: amountBlob(fact.notional),
        cost: amountBlob(fact.cost),
        opening_index: amountBlob(fact.index),
      }
      return [ask(insertPosition, { ...at, ...position })]
    }
    case 'positionSettled': {
      const position_id = amountBlob(fact.positionId)
      const [to_borrower, to_maker] = [amountBlob(fact.toBorrower), amountBlob(fact.toMaker)]
      return [ask(insertSettlement, { ...at, position_id, to_borrower, to_maker }), ask(markSettled, { position_id })]
    }
  }
}
