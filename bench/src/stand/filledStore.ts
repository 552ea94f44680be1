import { hash as digest } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { getAddress, type Hex, zeroAddress } from 'viem'
import { createSqliteStore } from '../../../apps/server/src/adapters/sqliteStore/sqliteStore.ts'
import { quoteRow } from '../../../apps/server/src/adapters/sqlStore/insertQuotes.ts'
import type { NewQuote, Store } from '../../../apps/server/src/ports/store.ts'
import { createTemporaryDirectory } from '../processes.ts'

/** The present of the samples, Unix seconds; the quotes expire an hour later. */
export const sampleNow = 1_767_225_600n

const idOf = (text: string): Hex => `0x${digest('sha256', text)}`

const pairs = Array.from({ length: 50 }, (_, n) => ({ poolId: idOf(`pool ${n}`), seriesKey: idOf(`series ${n}`) }))
const makers = Array.from({ length: 10_000 }, (_, n) => getAddress(`0x${idOf(`maker ${n}`).slice(-40)}`))

/** The pool and the series of the quote with this number. */
export const samplePair = (n: number) => pairs[n % pairs.length] as (typeof pairs)[number]

/** The quote with this number: hashes, rates and makers are spread evenly. */
export function sampleQuote(n: number): NewQuote {
  const hash = idOf(`quote ${n}`)
  const quote = {
    maker: makers[n % makers.length] ?? zeroAddress,
    taker: zeroAddress,
    ...samplePair(n),
    notional: 1_000_000_000_000n + BigInt(n),
    vrtAmount: 25_000_000_000n,
    nonce: 0n,
    deadline: sampleNow + 3_600n,
    salt: hash,
    signature: `${hash}${hash.slice(2)}1b` as Hex,
  }
  const apr = (Number.parseInt(hash.slice(2, 14), 16) / 2 ** 48) * 20
  return { hash, quote, apr, createdAt: Number(sampleNow) * 1_000 + n }
}

/** The product's store in a directory of its own, which is removed with it. */
export type FilledStore = AsyncDisposable & { store: Store; directory: string }

/** Opens a store with the first `size` sample quotes. */
export async function openFilledStore(size: number): Promise<FilledStore> {
  const directory = createTemporaryDirectory()
  const file = join(directory, 'firmquote.db')
  // Creates the schema.
  await (await createSqliteStore({ file })).close()
  fillFile(file, (database) => {
    const rows = (n: number) => quoteRow(sampleQuote(n), true)
    const insert = database.prepare(insertInto(Object.keys(rows(0))))
    for (let n = 0; n < size; n += 1) insert.run(Object.values(rows(n)))
  }).close()
  const store = await createSqliteStore({ file })
  // The check of the file competes with what is measured.
  while (store.integrity() === 'checking') await sleep(50)
  return {
    ...{ store, directory },
    async [Symbol.asyncDispose]() {
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Writes in one transaction that is neither logged nor synchronized. The pages are those that the store would have written. */
export function fillFile(file: string, write: (database: SqliteDatabase.Database) => void): SqliteDatabase.Database {
  const database = new SqliteDatabase(file)
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -1048576']) database.pragma(pragma)
  database.transaction(() => write(database))()
  database.pragma('journal_mode = wal')
  return database
}

/** The statement that inserts one row. */
export function insertInto(columns: readonly string[]): string {
  return `insert into quotes (${columns}) values (${columns.map(() => '?')})`
}
