import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type SharedPostgres, sharePostgres } from '@firmquote/cluster/sharePostgres'
import { systemClock } from '@firmquote/core/utils'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expectPriceOrder, oldQuotes } from '../../../test/oldPrices.ts'
import { inPostgres, oldRates } from '../../../test/oldRates.ts'
import { waitUntil } from '../../../test/waitUntil.ts'
import { priceOf } from '../../domain/rateOrder.ts'
import { givenColumns, quoteRow } from '../sqlStore/quotes/insertQuotes.ts'
import { findProblem, migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { createPostgresStore } from './postgresStore.ts'

/** SQL of test migrations. As in the real migrations, the first migration creates `identity`. */
const texts = {
  '001_tables': 'create table identity (key text primary key, value text not null); create table kept (n int)',
  '002_expand': 'alter table kept add column m int',
  '003_contract': `alter table kept drop column n;
    insert into identity values ('oldest_program', '002_expand')
      on conflict (key) do update set value = excluded.value`,
}
type Name = keyof typeof texts

const migrationsOf = (...names: Name[]): Record<string, Migration> =>
  Object.fromEntries(
    names.map((name) => [name, { up: async (db: Kysely<unknown>) => void (await sql.raw(texts[name]).execute(db)) }]),
  )
const [first, expanded, contracted] = [
  migrationsOf('001_tables'),
  migrationsOf('001_tables', '002_expand'),
  migrationsOf('001_tables', '002_expand', '003_contract'),
]

test.each<[string, string[], string[], string | null, RegExp | null]>([
  ['a new database', ['1', '2'], [], null, null],
  ['its own', ['1', '2'], ['1', '2'], null, null],
  ['an earlier one', ['1', '2'], ['1'], null, null],
  ['a later one', ['1'], ['1', '2'], null, null],
  ['a later one that requires a known migration', ['1'], ['1', '2'], '1', null],
  [
    'a later one that requires a newer migration',
    ['1'],
    ['1', '2'],
    '2',
    /^requires a newer version of the server \(migration 2\)/,
  ],
  ['its own, which requires a known migration', ['1', '2'], ['1', '2'], '2', null],
  ['one from another branch', ['1', '3'], ['1', '2'], null, /^has migration 2, which .* but lacks 3/],
])('behavior: whether a server may use %s', (_, known, executed, oldest, problem) => {
  const found = findProblem(known, executed, oldest)
  if (problem) expect(found).toMatch(problem)
  else expect(found).toBeNull()
})

const given = findPostgres() ? describe : describe.skip
given('migrate', () => {
  let postgres: SharedPostgres
  beforeAll(async () => {
    postgres = await sharePostgres()
  })
  const executed = async (url: string) =>
    (await postgres.query('select name from kysely_migration order by name', url)).map(({ name }) => name)

  test('default: updates a database, and leaves an up-to-date one unchanged', async () => {
    const url = await postgres.createDatabase()
    await migrate(url, { migrations: first })
    await migrate(url, { migrations: expanded })
    await migrate(url, { migrations: expanded })
    expect(await executed(url)).toEqual(['001_tables', '002_expand'])
  })

  test('behavior: concurrent starts migrate once', async () => {
    const url = await postgres.createDatabase()
    await Promise.all(Array.from({ length: 8 }, () => migrate(url, { migrations: expanded })))
    expect(await executed(url)).toEqual(['001_tables', '002_expand'])
  })

  test('behavior: a server runs on a newer expanded schema, but not on a contracted one', async () => {
    const url = await postgres.createDatabase()
    await migrate(url, { migrations: expanded })
    await migrate(url, { migrations: first })
    expect(await executed(url)).toEqual(['001_tables', '002_expand'])
    await migrate(url, { migrations: contracted })
    await migrate(url, { migrations: expanded })
    await expect(migrate(url, { migrations: first })).rejects.toMatchObject({
      shortMessage: expect.stringMatching(
        /^The database 127\.0\.0\.1:\d+\/\w+ requires a newer version of the server \(migration 002_expand\); run that version\.$/,
      ),
    })
  })

  test('behavior: a failed migration leaves no changes', async () => {
    const url = await postgres.createDatabase()
    await migrate(url, { migrations: first })
    const fails = { up: async (db: Kysely<unknown>) => void (await sql`select 1 / 0`.execute(db)) }
    await expect(migrate(url, { migrations: { ...expanded, '003_fails': fails } })).rejects.toMatchObject({
      shortMessage: expect.stringMatching(/cannot be migrated: division by zero\.$/),
    })
    expect(await executed(url)).toEqual(['001_tables'])
    expect(await postgres.query("select attname from pg_attribute where attname = 'm'", url)).toEqual([])
  })

  test("behavior: a forged best rate of a day is gone, and the day's fills come back from the chain", async () => {
    const url = await postgres.createDatabase()
    await migrate(url, {
      migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '006')),
    })
    for (const statement of oldRates.statements) await postgres.query(inPostgres(statement), url)
    const options = { url, clock: systemClock, log: { info() {}, warn() {} } } as const
    const store = await createPostgresStore(options)
    expect(await oldRates.days(store)).toEqual([])
    await oldRates.record(store)
    expect(await oldRates.days(store)).toEqual(oldRates.expected)
    await store.close()
    // The previous version can still write to its table.
    expect(await postgres.query('select * from fixed_points', url)).toEqual([])
    await postgres.query(inPostgres(oldRates.forged), url)
  })

  test('behavior: existing quotes are listed by their price, and so are those that the previous version inserts', async () => {
    const url = await postgres.createDatabase()
    const columns = [...Object.keys(givenColumns), 'status', 'listed']
    /** The previous version's columns. */
    const insertOld = async (quotes: typeof oldQuotes) => {
      for (const quote of quotes) {
        const row = Object.entries(quoteRow(quote, true)).filter(([name]) => columns.includes(name))
        const values = row.map(([, value]) => (Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : `'${value}'`))
        await postgres.query(`insert into quotes (${row.map(([name]) => name)}) values (${values})`, url)
      }
    }
    await migrate(url, {
      migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '007')),
    })
    await insertOld(oldQuotes.slice(0, 30))
    const options = { url, clock: systemClock, log: { info() {}, warn() {} } } as const
    const store = await createPostgresStore(options)
    await insertOld(oldQuotes.slice(30))
    await expectPriceOrder(store)
    // The database and the server compute the identical number.
    const stored = await postgres.query("select encode(hash, 'hex') as hash, price from quotes", url)
    expect(new Map(stored.map(({ hash, price }) => [`0x${hash}`, price]))).toEqual(
      new Map(oldQuotes.map(({ hash, quote }) => [hash, priceOf(quote)])),
    )
    await store.close()
  })

  test('behavior: does not wait indefinitely for a table in use', async () => {
    const url = await postgres.createDatabase()
    await migrate(url, { migrations: first })
    const reading = postgres.query('begin; select * from kept; select pg_sleep(2); commit', url)
    const isRead = `select 1 from pg_locks where relation = 'kept'::regclass and mode = 'AccessShareLock' and granted`
    await waitUntil(async () => (await postgres.query(isRead, url)).length > 0)
    const failing = migrate(url, { migrations: expanded, attempts: 1 })
    await expect(failing).rejects.toMatchObject({
      shortMessage: expect.stringContaining('while its tables are in use'),
    })
    await reading
    await migrate(url, { migrations: expanded })
    expect(await executed(url)).toEqual(['001_tables', '002_expand'])
  })

  test.each<[string, (url: string) => string, RegExp]>([
    ['a wrong password', (url) => url.replace(/:[0-9a-f]+@/, ':wrong-password@'), /rejects the user or password/],
    ['no such database', (url) => url.replace(/[^/]+$/, 'nowhere'), /\/nowhere does not exist; create it/],
    ['no such port', (url) => url.replace(/:\d+\//, ':1/'), /cannot be used: no server listens there/],
    [
      'no such host',
      (url) => url.replace('127.0.0.1', 'nowhere.invalid'),
      /cannot be used: its host name cannot be resolved/,
    ],
  ])('error: %s is one sentence without the password', async (_, change, sentence) => {
    const url = change(postgres.urlOf('postgres'))
    const error = await migrate(url, { migrations: first }).catch((cause: unknown) => cause)
    const { shortMessage } = error as { shortMessage: string }
    expect(shortMessage).toMatch(sentence)
    expect(shortMessage).toMatch(/^The database [^@]*\.$/)
    expect(shortMessage).not.toContain(new URL(url).password)
  })
})
