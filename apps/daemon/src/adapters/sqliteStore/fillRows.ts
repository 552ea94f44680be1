import type { QuoteStatusMessage } from '@firmquote/core'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Fill, HookTiming } from '../../domain/fill.ts'
import type { FillRecord, StatusEffect, Store } from '../../ports/store.ts'
import type { Tables } from './schema.ts'
import { wrapStorageErrors } from './wrapStorageErrors.ts'

type FillStore = Pick<
  Store,
  'findStatusSeq' | 'saveStatus' | 'listUnansweredFills' | 'countUnansweredFills' | 'beginFill' | 'finishFill'
>
type Row = Tables['fills']

/**
 * Creates the store's fill methods.
 *
 * @param maxUndelivered once this many fills are undelivered, fills of quotes unknown to this daemon are refused.
 * Bounds the database size.
 */
export function createFillRows(
  db: Kysely<Tables>,
  maxUndelivered = 10_000,
): {
  store: FillStore
  /** Removes delivered fills older than `before`, in Unix milliseconds. */
  prune(before: number): Promise<void>
} {
  const unanswered = (when: HookTiming) => {
    const behind = db.selectFrom('fills').where((row) => row('done', '<', row.ref('change')))
    if (when === 'filled') return behind
    return behind.where((row) => row.or([row('final', '=', 1), row('status', '=', 'reverted')]))
  }
  return {
    async prune(before) {
      const told = db.deleteFrom('fills').where((row) => row('done', '=', row.ref('change')))
      await told.where('changed_at', '<', before).execute()
    },
    store: {
      findStatusSeq: (service) =>
        wrapStorageErrors(async () => {
          const row = await db.selectFrom('status_seqs').select('seq').where('service', '=', service).executeTakeFirst()
          return row?.seq ?? 0
        }),
      saveStatus: (service, status, options) =>
        wrapStorageErrors(() =>
          db.transaction().execute(async (transaction) => {
            const { seq } = status
            await transaction
              .insertInto('status_seqs')
              .values({ service, seq })
              .onConflict((conflict) => conflict.column('service').doUpdateSet({ seq }))
              .execute()
            return saveFill(transaction, status, { ...options, maxUndelivered })
          }),
        ),
      listUnansweredFills: (when) =>
        wrapStorageErrors(async () => (await unanswered(when).selectAll().orderBy('change').execute()).map(recordOf)),
      countUnansweredFills: (when) =>
        wrapStorageErrors(async () => {
          const { count } = await unanswered(when)
            .select((row) => row.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow()
          return count
        }),
      beginFill: ({ hash, change }, told) =>
        wrapStorageErrors(async () => {
          const { numUpdatedRows } = await db
            .updateTable('fills')
            .set({ begun: change, told: encodeFill(told) })
            .where('hash', '=', hash)
            .where('change', '=', change)
            .executeTakeFirst()
          return numUpdatedRows > 0n
        }),
      finishFill: ({ hash, change }) =>
        wrapStorageErrors(async () => {
          await db.updateTable('fills').set({ done: change }).where('hash', '=', hash).execute()
        }),
    },
  }
}

async function saveFill(
  transaction: Transaction<Tables>,
  { hash, status, final, block, ...message }: QuoteStatusMessage,
  { hasHook, now, maxUndelivered }: { hasHook: boolean; now: number; maxUndelivered: number },
): Promise<StatusEffect> {
  const transactionHash = message.transactionHash ?? null
  const row = await transaction.selectFrom('fills').selectAll().where('hash', '=', hash).executeTakeFirst()
  const update = (values: Partial<Row>) =>
    transaction.updateTable('fills').set(values).where('hash', '=', hash).execute()
  if (status !== 'filled') {
    if (row === undefined || row.status === 'reverted') return 'none'
    // If the hook was never called with the fill, do not notify it of the reversal.
    const numbers = await nextChange(transaction, row.begun > 0)
    await update({ status: 'reverted', final: 0, ...numbers, changed_at: now })
    return 'reverted'
  }
  if (row?.status === 'filled' && row.block === block && row.transaction_hash === transactionHash) {
    if (final && row.final === 0) await update({ final: 1 })
    return 'none'
  }
  if (row === undefined && (await exceedsLimit(transaction, hash, maxUndelivered))) return 'refused'
  const fill = { status, final: final ? 1 : 0, block, transaction_hash: transactionHash, changed_at: now }
  const isTold = hasHook || (row !== undefined && row.begun > 0)
  const numbered = { ...fill, ...(await nextChange(transaction, isTold)) }
  if (row) await update(numbered)
  else
    await transaction
      .insertInto('fills')
      .values({ hash, done: 0, begun: 0, told: null, ...numbered })
      .execute()
  return 'filled'
}

/** Returns the next change number. A state of which the hook need not be notified counts as delivered. */
async function nextChange(
  transaction: Transaction<Tables>,
  isTold: boolean,
): Promise<{ change: number; done?: number }> {
  const { last } = await transaction
    .selectFrom('fills')
    .select(({ fn }) => fn.max('change').as('last'))
    .executeTakeFirstOrThrow()
  const change = (last ?? 0) + 1
  return isTold ? { change } : { change, done: change }
}

async function exceedsLimit(transaction: Transaction<Tables>, hash: Hex, most: number): Promise<boolean> {
  const known = await transaction.selectFrom('quotes').select('hash').where('hash', '=', hash).executeTakeFirst()
  if (known) return false
  const { count } = await transaction
    .selectFrom('fills')
    .select(sql<number>`count(*)`.as('count'))
    .where((row) => row('done', '<', row.ref('change')))
    .executeTakeFirstOrThrow()
  return count >= most
}

function recordOf({ hash, status, final, block, change, begun, told }: Row): FillRecord {
  return {
    hash: hash as Hex,
    status: status as FillRecord['status'],
    final: final === 1,
    block,
    change,
    begun,
    told: told === null ? null : decodeFill(told),
  }
}

/** A {@link Fill} as stored in the database. */
type StoredFill = Record<Exclude<keyof Fill, 'expiry'>, string> & { expiry: number }

function encodeFill({ notional, cost, positionId, block, ...fill }: Fill): string {
  const amounts = { notional: String(notional), cost: String(cost), positionId: String(positionId) }
  return JSON.stringify({ ...fill, ...amounts, block: String(block) } satisfies StoredFill)
}

function decodeFill(text: string): Fill {
  const { hash, taker, poolId, seriesKey, loanToken, expiry, transactionHash, ...amounts } = JSON.parse(
    text,
  ) as StoredFill
  return {
    hash: hash as Hex,
    taker: taker as Address,
    poolId: poolId as Hex,
    seriesKey: seriesKey as Hex,
    loanToken: loanToken as Address,
    expiry,
    notional: BigInt(amounts.notional),
    cost: BigInt(amounts.cost),
    positionId: BigInt(amounts.positionId),
    block: BigInt(amounts.block),
    transactionHash: transactionHash as Hex,
  }
}
