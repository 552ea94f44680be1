// Why: docs/decisions/0051-migration-and-upgrades.md
import { createHash, type Hash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type pg from 'pg'
import { ConfigurationError } from '../../ports/errors.ts'
import { connectOnce } from './connectOnce.ts'
import { describeFailure, placeOf } from './startFailure.ts'

/** What is copied, and where to. */
export type CopyOptions = {
  /** A database of SQLite, up to date, which nothing else writes to. */
  source: Database
  /** The address of a PostgreSQL database whose tables are there. */
  target: string
  /** Is told a line now and then of how far it is. */
  report: (line: string) => void
  /** How many rows travel together. */
  batchRows?: number
}

/**
 * A table, and the columns that its rows are copied in the order of: they are unique. `counted` is the column that numbers its new
 * rows, if there is one.
 */
type Table = { name: string; key: readonly string[]; counted?: string }
/** A table with its columns, as the target has them: those of the source and no other. */
type TypedTable = Table & { columns: readonly { name: string; type: string }[] }
type Value = Buffer | bigint | number | string | null
type Row = Record<string, Value>

/**
 * Every table of the source but `identity`, which comes with the first step, and `probes`, which means nothing; a table that refers
 * to another comes after it.
 */
const tables: readonly Table[] = [
  { name: 'quotes', key: ['hash'], counted: 'rowid' },
  { name: 'auctions', key: ['id'], counted: 'id' },
  { name: 'auction_quotes', key: ['id'], counted: 'id' },
  { name: 'status_counts', key: ['maker'] },
  { name: 'quote_statuses', key: ['id'], counted: 'id' },
  { name: 'quote_ends', key: ['hash'] },
  { name: 'nonce_raises', key: ['block_number', 'log_index'] },
  { name: 'pools', key: ['pool_id'] },
  { name: 'series', key: ['series_key'] },
  { name: 'positions', key: ['position_id'] },
  { name: 'settlements', key: ['position_id'] },
  { name: 'floating_points', key: ['pool_id', 'hour'] },
  { name: 'fixed_points', key: ['series_key', 'day'] },
  { name: 'blocks', key: ['number'] },
  { name: 'sync_cursor', key: ['id'] },
]
const facts: Table = { name: 'identity', key: ['key'] }
/** Tables of the source that are not copied, beside SQLite's own and the notes of its migrations. */
const left = ['identity', 'probes', 'kysely_migration', 'kysely_migration_lock']

/** The fact that there is while a database is half a copy. */
const copyingFact = 'copying_since'

/** What the identity of a copied database has of its source: the key for hints, for one, is each database's own. */
const identityKeys = ['chainId', 'genesisHash', 'quoteMarket']

/**
 * Copies a database, so that the target holds all of it or says of itself that it does not. Rows are inserted in the order of
 * their keys, so that the largest key of a table is how far its copy is: after an end at any moment, the same copy again goes on
 * there. At the end all rows of both are read side by side.
 *
 * @throws {ConfigurationError} when the target has data of its own, cannot be used, or differs from the source in the end; the
 * sentence says what to do.
 */
export async function copyDatabase({ source, target, report, batchRows = 1_000 }: CopyOptions): Promise<void> {
  const place = placeOf(target)
  checkTables(source)
  const client = await connectOnce(target)
  try {
    const resumed = await begin(client, source, place)
    report(resumed ? `The copy to ${place} goes on.` : `Copying to ${place}.`)
    for (const table of tables) await copyTable(client, source, await typed(client, source, table), batchRows, report)
    report('Comparing all rows.')
    for (const table of [facts, ...tables]) {
      const { rows, digest } = await compareTable(client, source, await typed(client, source, table), batchRows, place)
      report(`${table.name}: ${rows} rows, the same in both (SHA-256 ${digest}).`)
    }
    await end(client, source)
    report(`The copy is complete: start the servers with DATABASE_URL for ${place}.`)
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof TypeError) throw error
    const { shortMessage } = describeFailure(error, target)
    throw new ConfigurationError(`${shortMessage} The same command again goes on where it was.`, { cause: error })
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Refuses a database that is half a copy.
 *
 * @throws {ConfigurationError}
 */
export async function checkComplete(
  query: (text: string, values: unknown[]) => Promise<readonly unknown[]>,
  url: string,
): Promise<void> {
  const found = await query('select 1 from identity where key = $1', [copyingFact])
  if (found.length === 0) return
  throw new ConfigurationError(
    `The database ${placeOf(url)} is half a copy; run "firmquote-server copy" with it again, which goes on where it was.`,
  )
}

/** A table that is forgotten here would be missing in every copy. */
function checkTables(source: Database): void {
  const names = source
    .prepare<[], string>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .pluck()
    .all()
  const known = [...tables.map(({ name }) => name), ...left]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new TypeError(`The copy does not know the tables ${unknown.join(', ')}.`)
}

/**
 * Marks the target as half a copy of this source, or finds that it is one.
 *
 * @returns whether it was one.
 */
async function begin(client: pg.Client, source: Database, place: string): Promise<boolean> {
  const identity = source
    .prepare<[], { key: string; value: string }>('select key, value from identity')
    .all()
    .filter(({ key }) => identityKeys.includes(key))
  if (identity.length === 0)
    throw new ConfigurationError('The database of DATA_DIR has no data yet; there is nothing to copy.')
  const found = await client.query<{ key: string; value: string }>('select key, value from identity')
  const known = new Map(found.rows.map(({ key, value }) => [key, value]))
  if (known.has(copyingFact)) {
    const other = identity.find(({ key, value }) => known.get(key) !== value)
    if (!other) return true
    throw new ConfigurationError(
      `The database ${place} is half a copy of another one (${other.key}); choose an empty one.`,
    )
  }
  const { rows } = await client.query(
    tables.map(({ name }) => `(select '${name}' as name from ${name} limit 1)`).join(' union all '),
  )
  if (rows.length > 0 || identityKeys.some((key) => known.has(key))) {
    throw new ConfigurationError(
      `The database ${place} has data already, of which nothing was changed; choose an empty one.`,
    )
  }
  // One statement: a server that starts at this moment has either written its identity before, then this fails, or sees the mark.
  await client.query('insert into identity (key, value) select * from unnest($1::text[], $2::text[])', [
    [copyingFact, ...identity.map(({ key }) => key)],
    [new Date().toISOString(), ...identity.map(({ value }) => value)],
  ])
  return false
}

async function copyTable(
  client: pg.Client,
  source: Database,
  table: TypedTable,
  batchRows: number,
  report: (line: string) => void,
): Promise<void> {
  const { name, columns } = table
  const total = source.prepare<[], bigint>(`select count(*) from ${name}`).pluck().safeIntegers().get() ?? 0n
  const names = columns.map((column) => column.name)
  const insert = `insert into ${name} (${names.join(', ')}) overriding system value
    select * from unnest(${columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})`
  let after = await lastKey(client, table)
  let copied = after === null ? 0n : countUpTo(source, table, after)
  let told = Date.now()
  for (;;) {
    const rows = readSource(source, table, after, batchRows)
    const last = rows.at(-1)
    if (!last) break
    await client.query(
      insert,
      names.map((column) => rows.map((row) => row[column])),
    )
    after = keyOf(table, last)
    copied += BigInt(rows.length)
    if (Date.now() - told < 1_000) continue
    told = Date.now()
    report(`${name}: ${copied} of ${total} rows.`)
  }
}

/**
 * Reads a table of both databases side by side.
 *
 * @throws {ConfigurationError} with the first row that differs.
 */
async function compareTable(
  client: pg.Client,
  source: Database,
  table: TypedTable,
  batchRows: number,
  place: string,
): Promise<{ rows: number; digest: string }> {
  const [here, there] = [createHash('sha256'), createHash('sha256')]
  let rows = 0
  for (let after: Value[] | null = null; ; ) {
    const [wanted, found] = [
      readSource(source, table, after, batchRows),
      await readTarget(client, table, after, batchRows),
    ]
    const differs = Array.from({ length: Math.max(wanted.length, found.length) }).findIndex(
      (_, index) => !encodeRow(table, wanted[index]).equals(encodeRow(table, found[index])),
    )
    const row = wanted[differs] ?? found[differs]
    if (row) {
      throw new ConfigurationError(
        `The database ${place} differs from the one of DATA_DIR in ${table.name} at ${keyOf(table, row).map(show).join(', ')}: ` +
          'one of them was changed since the copy began; empty the target, and copy anew with the server stopped.',
      )
    }
    addRows(here, table, wanted)
    addRows(there, table, found)
    rows += wanted.length
    const last = wanted.at(-1)
    if (!last) break
    after = keyOf(table, last)
  }
  const [digest, copy] = [here.digest('hex'), there.digest('hex')]
  if (digest !== copy) throw new TypeError(`The digests of ${table.name} differ, though its rows do not.`)
  return { rows, digest }
}

/** Lets new rows have numbers behind those of all that were there, forgotten ones included; then the target is no half copy. */
async function end(client: pg.Client, source: Database): Promise<void> {
  for (const { name, counted } of tables) {
    if (counted === undefined) continue
    const largest = source
      .prepare<[string], bigint | null>(
        `select max(n) from (select max(${counted}) as n from ${name} union all select seq from sqlite_sequence where name = ?)`,
      )
      .pluck()
      .safeIntegers()
      .get(name)
    if (largest) await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [name, counted, largest])
  }
  await client.query('delete from identity where key = $1', [copyingFact])
}

async function typed(client: pg.Client, source: Database, table: Table): Promise<TypedTable> {
  const visible = source.prepare<[], string>(`select name from pragma_table_info('${table.name}')`).pluck().all()
  const names = [...new Set([...visible, ...(table.counted === undefined ? [] : [table.counted])])]
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table.name],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  const columns = names.map((name) => {
    const type = types.get(name)
    if (type === undefined) throw new TypeError(`The target has no column ${table.name}.${name}.`)
    return { name, type }
  })
  return { ...table, columns }
}

/** What of a table `order by` and comparisons see: a text goes by its bytes, as everything else does. */
function keyColumns({ name, key }: Table): string[] {
  return key.map((column) => (name === facts.name ? `${column} collate "C"` : column))
}

async function lastKey(client: pg.Client, table: TypedTable): Promise<Value[] | null> {
  const order = keyColumns(table)
    .map((column) => `${column} desc`)
    .join(', ')
  const { rows } = await client.query<Row>(
    `select ${table.key.join(', ')} from ${table.name} order by ${order} limit 1`,
  )
  return rows[0] ? keyOf(table, rows[0]) : null
}

function countUpTo(source: Database, { name, key }: Table, last: readonly Value[]): bigint {
  const upTo = `(${key.join(', ')}) <= (${key.map(() => '?').join(', ')})`
  return (
    source
      .prepare<unknown[], bigint>(`select count(*) from ${name} where ${upTo}`)
      .pluck()
      .safeIntegers()
      .get(...last) ?? 0n
  )
}

function readSource(source: Database, table: TypedTable, after: readonly Value[] | null, limit: number): Row[] {
  const { name, key, columns } = table
  const behind = after ? [`(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`] : []
  return source
    .prepare<unknown[], Row>(
      `select ${columns.map((column) => column.name).join(', ')} from ${name} ${where([...behind, ...copied(table)])} order by ${key.join(', ')} limit ?`,
    )
    .safeIntegers()
    .all(...(after ?? []), limit)
}

async function readTarget(
  client: pg.Client,
  table: TypedTable,
  after: readonly Value[] | null,
  limit: number,
): Promise<Row[]> {
  const { name, columns } = table
  const order = keyColumns(table).join(', ')
  const conditions = [
    ...(after ? [`(${order}) > (${after.map((_, index) => `$${index + 2}`).join(', ')})`] : []),
    ...copied(table),
  ]
  const { rows } = await client.query<Row>(
    `select ${columns.map((column) => column.name).join(', ')} from ${name} ${where(conditions)} order by ${order} limit $1`,
    [limit, ...(after ?? [])],
  )
  return rows
}

/** The facts that each database has of its own are none of the copy. */
function copied({ name }: Table): string[] {
  return name === facts.name ? [`key in (${identityKeys.map((key) => `'${key}'`).join(', ')})`] : []
}

function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
}

function keyOf({ key }: Table, row: Row): Value[] {
  return key.map((column) => row[column] ?? null)
}

function addRows(hash: Hash, table: TypedTable, rows: readonly Row[]): void {
  for (const row of rows) hash.update(encodeRow(table, row))
}

/** The bytes of a row, the same from both databases; none for no row. */
function encodeRow({ columns }: TypedTable, row: Row | undefined): Buffer {
  if (!row) return Buffer.alloc(0)
  return Buffer.concat(
    columns.flatMap(({ name, type }) => {
      const value = row[name] ?? null
      if (value === null) return [Buffer.from('-')]
      const bytes = encodeValue(type, value)
      return [Buffer.from(`${bytes.length}:`), bytes]
    }),
  )
}

function encodeValue(type: string, value: Exclude<Value, null>): Buffer {
  if (Buffer.isBuffer(value)) return value
  if (type !== 'double precision') return Buffer.from(String(value))
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(Number(value))
  return bytes
}

function show(value: Value): string {
  return Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : String(value)
}
