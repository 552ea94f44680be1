import { deserializeQuote, type SerializedQuote, serializeQuote, toPublicRfqId } from '@firmquote/core'
import { type Selectable, sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { ConfigurationError } from '../../errors.ts'
import type { SignedQuoteRecord, Store } from '../../ports/store.ts'
import { createFillRows } from './fillRows.ts'
import { openDatabase } from './openDatabase.ts'
import type { Tables } from './schema.ts'
import { wrapStorageErrors } from './wrapStorageErrors.ts'

/** How long to keep ended quotes (for `listQuotes`) and delivered fill notices, in milliseconds. */
const retentionMs = 30 * 86_400_000

/**
 * Opens the daemon's store.
 *
 * @throws {ConfigurationError} if it cannot be opened, or if another daemon is using it.
 */
export async function createSqliteStore({ file, now }: { file: string; now: number }): Promise<Store> {
  const db = await openDatabase(file)
  await db
    .deleteFrom('quotes')
    .where('ended', '=', 1)
    .where('signed_at', '<', now - retentionMs)
    .execute()
  const fills = createFillRows(db)
  await fills.prune(now - retentionMs)

  const update = (hash: Hex, values: Partial<Selectable<Tables['quotes']>>) =>
    wrapStorageErrors(async () => void (await db.updateTable('quotes').set(values).where('hash', '=', hash).execute()))
  const one = (column: 'hash' | 'rfq_id', value: string) =>
    wrapStorageErrors(async () => {
      const row = await db.selectFrom('quotes').selectAll().where(column, '=', value).executeTakeFirst()
      return row ? quoteOf(row) : null
    })
  const findNote = (name: string) =>
    wrapStorageErrors(async () => {
      const row = await db.selectFrom('notes').select('value').where('name', '=', name).executeTakeFirst()
      return row?.value ?? null
    })
  const saveNote = (name: string, value: string) =>
    wrapStorageErrors(async () => {
      await db
        .insertInto('notes')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    })

  return {
    async claim({ chainId, quoteMarket, maker }) {
      const owner = `${maker} on chain ${chainId} at ${quoteMarket}`
      const before = await findNote('owner')
      if (before === null) return saveNote('owner', owner)
      if (before === owner) return
      throw new ConfigurationError(
        `The database ${file} belongs to ${before}, not to ${owner}; set dataDir to another folder.`,
      )
    },
    add: (quote) => wrapStorageErrors(async () => void (await db.insertInto('quotes').values(rowOf(quote)).execute())),
    remove: (hash) =>
      wrapStorageErrors(async () => {
        await db.deleteFrom('quotes').where('hash', '=', hash).where('signature', 'is', null).execute()
      }),
    saveSignature: (hash, signature) => update(hash, { signature }),
    saveVerdict: (hash, verdict, code) => update(hash, { verdict, code }),
    markEnded: (hashes) =>
      wrapStorageErrors(async () => {
        // Quotes that ended during a long downtime may exceed the number of parameters that SQLite allows.
        for (let first = 0; first < hashes.length; first += 1_000) {
          const some = hashes.slice(first, first + 1_000)
          await db.updateTable('quotes').set({ ended: 1 }).where('hash', 'in', some).execute()
        }
      }),
    listUnended: () =>
      wrapStorageErrors(async () =>
        (await db.selectFrom('quotes').selectAll().where('ended', '=', 0).execute()).map(quoteOf),
      ),
    listSigned: (limit) =>
      wrapStorageErrors(async () => {
        const signed = db.selectFrom('quotes').selectAll().where('signature', 'is not', null)
        return (await signed.orderBy('signed_at', 'desc').limit(limit).execute()).map(quoteOf)
      }),
    find: (hash) => one('hash', hash),
    findByRfq: (rfqId) => one('rfq_id', rfqId),
    ...fills.store,
    saveReceipt: (hash, body) =>
      wrapStorageErrors(async () => {
        const row = db.insertInto('receipts').values({ hash, body })
        await row.onConflict((conflict) => conflict.column('hash').doUpdateSet({ body })).execute()
      }),
    removeReceipt: (hash) =>
      wrapStorageErrors(async () => void (await db.deleteFrom('receipts').where('hash', '=', hash).execute())),
    listReceipts: () =>
      wrapStorageErrors(async () => {
        const rows = await db.selectFrom('receipts').select('body').orderBy(sql`rowid`).execute()
        return rows.map(({ body }) => body)
      }),
    findNote,
    saveNote,
    close: () => db.destroy(),
  }
}

function rowOf({
  hash,
  rfqId,
  loanToken,
  quote,
  asker,
  signature,
  verdict,
  code,
  signedAt,
}: SignedQuoteRecord): Tables['quotes'] {
  const body = JSON.stringify(serializeQuote(quote))
  return {
    hash,
    rfq_id: rfqId,
    loan_token: loanToken,
    body,
    asker,
    signature,
    verdict,
    code,
    signed_at: signedAt,
    ended: 0,
  }
}

function quoteOf(row: Tables['quotes']): SignedQuoteRecord {
  return {
    hash: row.hash as Hex,
    rfqId: row.rfq_id === null ? null : toPublicRfqId(row.rfq_id),
    loanToken: row.loan_token as Address,
    quote: deserializeQuote(JSON.parse(row.body) as SerializedQuote),
    asker: row.asker as SignedQuoteRecord['asker'],
    signature: row.signature as Hex | null,
    verdict: row.verdict as SignedQuoteRecord['verdict'],
    code: row.code,
    signedAt: row.signed_at,
  }
}
