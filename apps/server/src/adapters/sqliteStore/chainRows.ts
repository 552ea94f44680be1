import type { BlockRef } from '@firmquote/core'
import type { Kysely, Transaction } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { ChainEvent, Pool, Position, Series } from '../../ports/chain.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { ChainUpdate, SyncedBlock, SyncPosition } from '../../ports/store.ts'
import { amountBlob, amountOf, blobOf, hexOf } from './blobs.ts'
import { refreshQuotes } from './quoteEnds.ts'
import type { EventPlace, Tables } from './schema.ts'

const eventTables = ['quote_ends', 'nonce_raises', 'pools', 'series', 'positions', 'settlements'] as const

/** How far the sync is. */
export async function findSyncPosition(db: Kysely<Tables>): Promise<SyncPosition> {
  const [cursor, blocks] = await Promise.all([
    db.selectFrom('sync_cursor').selectAll().executeTakeFirst(),
    db.selectFrom('blocks').selectAll().orderBy('number').execute(),
  ])
  return {
    cursor: cursor
      ? { number: BigInt(cursor.number), hash: hexOf(cursor.hash), timestamp: BigInt(cursor.timestamp) }
      : null,
    blocks: blocks.map(({ number, hash }) => ({ number: BigInt(number), hash: hexOf(hash) })),
  }
}

/** Adds events and moves the cursor. An event that is there already fails the whole update. */
export async function applyBlocks(transaction: Transaction<Tables>, update: ChainUpdate): Promise<void> {
  const { cursor, after } = update
  const found = await transaction.selectFrom('sync_cursor').selectAll().executeTakeFirst()
  const goesOn = found ? after && BigInt(found.number) === after.number && hexOf(found.hash) === after.hash : !after
  if (!goesOn) throw new StorageUnavailableError('The synced events go on from another block than those in the store.')
  const hashes: Buffer[] = []
  const makers: Buffer[] = []
  for (const event of update.events) {
    await insertEvent(transaction, event)
    if (event.fact.type === 'quoteEnded') hashes.push(blobOf(event.fact.hash))
    if (event.fact.type === 'nonceRaised') makers.push(blobOf(event.fact.maker))
  }
  await refreshQuotes(transaction, { hashes, makers })
  await setCursor(transaction, cursor)
  for (const { number, hash } of update.blocks) {
    await transaction
      .insertInto('blocks')
      .values({ number: Number(number), hash: blobOf(hash) })
      .execute()
  }
  await transaction
    .deleteFrom('blocks')
    .where('number', '<=', Number(cursor.number) - update.keep)
    .execute()
}

/** Removes everything above a block, or everything. */
export async function rollBack(transaction: Transaction<Tables>, to: BlockRef | null): Promise<void> {
  const kept = to === null ? -1 : Number(to.number)
  const ends = await transaction.deleteFrom('quote_ends').where('block_number', '>', kept).returning('hash').execute()
  const raises = await transaction
    .deleteFrom('nonce_raises')
    .where('block_number', '>', kept)
    .returning('maker')
    .execute()
  for (const table of ['pools', 'series', 'positions', 'settlements'] as const) {
    await transaction.deleteFrom(table).where('block_number', '>', kept).execute()
  }
  await refreshQuotes(transaction, {
    hashes: ends.map(({ hash }) => hash),
    makers: raises.map(({ maker }) => maker),
  })
  await transaction.deleteFrom('blocks').where('number', '>', kept).execute()
  if (to === null) {
    await transaction.deleteFrom('sync_cursor').execute()
    return
  }
  await setCursor(transaction, to)
  // It is remembered already unless it lies before everything that is.
  await transaction
    .insertInto('blocks')
    .values({ number: kept, hash: blobOf(to.hash) })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .execute()
}

/** The newest block at or below a number that left an event. */
export async function findCheckpoint(db: Kysely<Tables>, atMost: bigint): Promise<SyncedBlock | null> {
  let newest: { block_number: number; block_hash: Buffer } | undefined
  for (const table of eventTables) {
    const found = await db
      .selectFrom(table)
      .select(['block_number', 'block_hash'])
      .where('block_number', '<=', Number(atMost))
      .orderBy('block_number', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (found && (!newest || found.block_number > newest.block_number)) newest = found
  }
  return newest ? { number: BigInt(newest.block_number), hash: hexOf(newest.block_hash) } : null
}

/** All pools, in the order of their creation. */
export async function listPools(db: Kysely<Tables>): Promise<Pool[]> {
  const rows = await db.selectFrom('pools').selectAll().orderBy('block_number').orderBy('log_index').execute()
  return rows.map((row) => ({
    poolId: hexOf(row.pool_id),
    loanToken: getAddress(hexOf(row.loan_token)),
    adapter: getAddress(hexOf(row.adapter)),
    market: hexOf(row.market),
  }))
}

/** Series of one pool or of all, soonest expiry first. */
export async function listSeries(db: Kysely<Tables>, poolId?: Hex): Promise<Series[]> {
  const rows = await db
    .selectFrom('series')
    .selectAll()
    .$if(poolId !== undefined, (query) => query.where('pool_id', '=', blobOf(poolId ?? '0x')))
    .orderBy('expiry')
    .orderBy('series_key')
    .execute()
  return rows.map((row) => ({
    poolId: hexOf(row.pool_id),
    seriesKey: hexOf(row.series_key),
    expiry: row.expiry,
    cap: amountOf(row.cap),
  }))
}

/** The positions of an account that are not settled, oldest first. */
export async function listOpenPositions(db: Kysely<Tables>, account: Hex): Promise<Position[]> {
  const rows = await db
    .selectFrom('positions')
    .selectAll()
    .where(({ or, eb }) => or([eb('maker', '=', blobOf(account)), eb('borrower', '=', blobOf(account))]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('settlements')
            .select('settlements.position_id')
            .whereRef('settlements.position_id', '=', 'positions.position_id'),
        ),
      ),
    )
    .orderBy('position_id')
    .execute()
  return rows.map((row) => ({
    positionId: amountOf(row.position_id),
    maker: getAddress(hexOf(row.maker)),
    borrower: getAddress(hexOf(row.borrower)),
    poolId: hexOf(row.pool_id),
    seriesKey: hexOf(row.series_key),
    notional: amountOf(row.notional),
    cost: amountOf(row.cost),
    index: amountOf(row.opening_index),
    openedAtBlock: BigInt(row.block_number),
  }))
}

async function setCursor(transaction: Transaction<Tables>, { number, hash, timestamp }: BlockRef): Promise<void> {
  const row = { number: Number(number), hash: blobOf(hash), timestamp: Number(timestamp) }
  await transaction
    .insertInto('sync_cursor')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

async function insertEvent(transaction: Transaction<Tables>, { fact, ...where }: ChainEvent): Promise<void> {
  const place: EventPlace = {
    block_number: Number(where.blockNumber),
    block_hash: blobOf(where.blockHash),
    log_index: where.logIndex,
    transaction_hash: blobOf(where.transactionHash),
  }
  switch (fact.type) {
    case 'quoteEnded':
      await transaction
        .insertInto('quote_ends')
        .values({ ...place, hash: blobOf(fact.hash), status: fact.status })
        .execute()
      break
    case 'nonceRaised':
      await transaction
        .insertInto('nonce_raises')
        .values({ ...place, maker: blobOf(fact.maker), nonce: amountBlob(fact.nonce) })
        .execute()
      break
    case 'poolCreated':
      await transaction
        .insertInto('pools')
        .values({
          ...place,
          pool_id: blobOf(fact.poolId),
          loan_token: blobOf(fact.loanToken),
          adapter: blobOf(fact.adapter),
          market: blobOf(fact.market),
        })
        .execute()
      break
    case 'seriesCreated':
      await transaction
        .insertInto('series')
        .values({
          ...place,
          series_key: blobOf(fact.seriesKey),
          pool_id: blobOf(fact.poolId),
          expiry: fact.expiry,
          cap: amountBlob(fact.cap),
        })
        .execute()
      break
    case 'positionOpened':
      await transaction
        .insertInto('positions')
        .values({
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
        .execute()
      break
    case 'positionSettled':
      await transaction
        .insertInto('settlements')
        .values({
          ...place,
          position_id: amountBlob(fact.positionId),
          to_borrower: amountBlob(fact.toBorrower),
          to_maker: amountBlob(fact.toMaker),
        })
        .execute()
      break
  }
}
