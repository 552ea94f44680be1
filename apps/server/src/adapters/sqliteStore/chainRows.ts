import type { BlockRef } from '@firmquote/core'
import { getAddress, type Hex } from 'viem'
import type { ChainEvent, Pool, Position, Series } from '../../ports/chain.ts'
import { CursorMovedError } from '../../ports/errors.ts'
import type { ChainUndoing, ChainUpdate, SyncedBlock, SyncPosition } from '../../ports/store.ts'
import { amountBlob, amountOf, blobOf, hexOf } from './blobs.ts'
import {
  deleteBlocks,
  deleteCursor,
  deleteEnds,
  deleteOthers,
  deleteRaises,
  forgetBlocks,
  insertBlock,
  insertEnd,
  insertMissingBlock,
  insertPool,
  insertPosition,
  insertRaise,
  insertSeries,
  insertSettlement,
  markSettled,
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
import { positionOf } from './positionRows.ts'
import type { RunQuery } from './preparedQuery.ts'
import { refreshQuotes } from './quoteEnds.ts'
import { forgetUnheld } from './retention.ts'
import type { EventPlace } from './schema.ts'
import { tellFinal } from './statusRows.ts'

/** How far the sync is. */
export function findSyncPosition(run: RunQuery): SyncPosition {
  const [cursor] = run(selectCursor)
  return {
    cursor: cursor
      ? { number: BigInt(cursor.number), hash: hexOf(cursor.hash), timestamp: BigInt(cursor.timestamp) }
      : null,
    blocks: run(selectBlocks).map(({ number, hash }) => ({ number: BigInt(number), hash: hexOf(hash) })),
  }
}

/** Adds events and moves the cursor. An event that is there already fails the whole update; the same update again does nothing. */
export function applyBlocks(run: RunQuery, update: ChainUpdate): void {
  const { cursor } = update
  if (!goesOn(run, update.after, cursor)) return
  const hashes: Buffer[] = []
  const makers: Buffer[] = []
  for (const event of update.events) {
    insertEvent(run, event)
    if (event.fact.type === 'quoteEnded') hashes.push(blobOf(event.fact.hash))
    if (event.fact.type === 'nonceRaised') makers.push(blobOf(event.fact.maker))
  }
  setCursor(run, cursor)
  refreshQuotes(run, { hashes, makers, at: update.at })
  for (const { number, hash } of update.blocks) run(insertBlock, { number: Number(number), hash: blobOf(hash) })
  run(forgetBlocks, { through: Number(cursor.number) - update.keep })
}

/**
 * Whether the sync goes on from the block that its caller has found; false when that was done, and its caller has not heard so.
 *
 * @throws {CursorMovedError} when somebody else has moved the cursor.
 */
function goesOn(run: RunQuery, from: SyncedBlock | null, to: SyncedBlock | null): boolean {
  const [found] = run(selectCursor)
  const isAt = (block: SyncedBlock | null) =>
    found ? block !== null && BigInt(found.number) === block.number && hexOf(found.hash) === block.hash : block === null
  if (isAt(from)) return true
  if (isAt(to)) return false
  throw new CursorMovedError('The synced events go on from another block than those in the store.')
}

/** Removes everything above a block, or everything; the same again does nothing. */
export function rollBack(run: RunQuery, { from, to, at }: ChainUndoing): void {
  if (!goesOn(run, from, to)) return
  const kept = to === null ? -1 : Number(to.number)
  const ends = run(deleteEnds, { kept })
  const raises = run(deleteRaises, { kept })
  run(reopenPositions, { kept })
  for (const query of deleteOthers) run(query, { kept })
  run(deleteBlocks, { kept })
  if (to === null) run(deleteCursor)
  else {
    setCursor(run, to)
    // It is remembered already unless it lies before everything that is.
    run(insertMissingBlock, { number: kept, hash: blobOf(to.hash) })
  }
  refreshQuotes(run, { hashes: ends.map(({ hash }) => hash), makers: raises.map(({ maker }) => maker), at })
}

/** A block that can no longer be undone, and when that is told, Unix milliseconds. */
export type Finality = { block: SyncedBlock; at: number }

/**
 * Tells once more, as final, some of what was told of blocks up to this one, unless another one has taken its place: it has
 * to be one with an event.
 */
export function finalize(run: RunQuery, { block, at }: Finality): void {
  const synced = findCheckpoint(run, block.number)
  if (synced?.number !== block.number || synced.hash !== block.hash) return
  forgetUnheld(run, tellFinal(run, { through: Number(block.number), at }))
}

/** The newest block at or below a number that left an event. */
export function findCheckpoint(run: RunQuery, atMost: bigint): SyncedBlock | null {
  const found = selectNewest.flatMap((query) => run(query, { atMost: Number(atMost) }))
  if (found.length === 0) return null
  const newest = found.reduce((best, block) => (block.block_number > best.block_number ? block : best))
  return { number: BigInt(newest.block_number), hash: hexOf(newest.block_hash) }
}

/** All pools, in the order of their creation. */
export function listPools(run: RunQuery): Pool[] {
  return run(selectPools).map((row) => ({
    poolId: hexOf(row.pool_id),
    loanToken: getAddress(hexOf(row.loan_token)),
    adapter: getAddress(hexOf(row.adapter)),
    market: hexOf(row.market),
  }))
}

/** Series of one pool or of all, soonest expiry first. */
export function listSeries(run: RunQuery, poolId?: Hex): Series[] {
  const rows = poolId === undefined ? run(selectSeries) : run(selectSeriesOfPool, { poolId: blobOf(poolId) })
  return rows.map((row) => ({
    poolId: hexOf(row.pool_id),
    seriesKey: hexOf(row.series_key),
    expiry: row.expiry,
    cap: amountOf(row.cap),
  }))
}

/** The positions of an account that are not settled, oldest first. */
export function listOpenPositions(run: RunQuery, account: Hex): Position[] {
  return run(selectOpenPositions, { account: blobOf(account) }).map(positionOf)
}

function setCursor(run: RunQuery, { number, hash, timestamp }: BlockRef): void {
  run(upsertCursor, { number: Number(number), hash: blobOf(hash), timestamp: Number(timestamp) })
}

function insertEvent(run: RunQuery, { fact, ...where }: ChainEvent): void {
  const place: EventPlace = {
    block_number: Number(where.blockNumber),
    block_hash: blobOf(where.blockHash),
    log_index: where.logIndex,
    transaction_hash: blobOf(where.transactionHash),
  }
  switch (fact.type) {
    case 'quoteEnded':
      run(insertEnd, { ...place, hash: blobOf(fact.hash), status: fact.status })
      break
    case 'nonceRaised':
      run(insertRaise, { ...place, maker: blobOf(fact.maker), nonce: amountBlob(fact.nonce) })
      break
    case 'poolCreated':
      run(insertPool, {
        ...place,
        pool_id: blobOf(fact.poolId),
        loan_token: blobOf(fact.loanToken),
        adapter: blobOf(fact.adapter),
        market: blobOf(fact.market),
      })
      break
    case 'seriesCreated':
      run(insertSeries, {
        ...place,
        series_key: blobOf(fact.seriesKey),
        pool_id: blobOf(fact.poolId),
        expiry: fact.expiry,
        cap: amountBlob(fact.cap),
      })
      break
    case 'positionOpened':
      run(insertPosition, {
        ...place,
        position_id: amountBlob(fact.positionId),
        maker: blobOf(fact.maker),
        borrower: blobOf(fact.borrower),
        pool_id: blobOf(fact.poolId),
        series_key: blobOf(fact.seriesKey),
        notional: amountBlob(fact.notional),
        cost: amountBlob(fact.cost),
        opening_index: amountBlob(fact.index),
      })
      break
    case 'positionSettled':
      run(insertSettlement, {
        ...place,
        position_id: amountBlob(fact.positionId),
        to_borrower: amountBlob(fact.toBorrower),
        to_maker: amountBlob(fact.toMaker),
      })
      run(markSettled, { position_id: amountBlob(fact.positionId) })
      break
  }
}
