// Why: docs/decisions/0051-migration-and-upgrades.md
import { createHash, type Hash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type pg from 'pg'
import { ConfigurationError } from '../../ports/errors.ts'
import { connectOnce } from './connectOnce.ts'
import { describeFailure, locationOf } from './startFailure.ts'

/** Options of {@link copyDatabase}. */
export type CopyOptions = {
  /** An SQLite database with all migrations applied and no other writer. */
  source: Database
  /** URL of a PostgreSQL database in which the tables already exist. */
  target: string
  /** Receives progress lines. */
  report: (line: string) => void
  /** Rows per batch. Default: 1,000. */
  batchRows?: number
}

/**
 * A table and its unique key. Rows are copied in key order. `counted` is the table's identity column, if any, and `left`
 * are columns that are not copied.
 */
type Table = { name: string; key: readonly string[]; counted?: string; left?: readonly string[] }
/** A table with the source's columns, each with its type in the target, and whether the target computes it. */
type TypedTable = Table & { columns: readonly { name: string; type: string; isComputed: boolean }[] }
type Value = Buffer | bigint | number | string | null
type Row = Record<string, Value>

/**
 * All source tables except `identity`, which is copied first, and `probes`, which contains no data. Each table is
 * listed after the tables that it references.
 */
const tables: readonly Table[] = [
  { name: 'quotes', key: ['hash'], counted: 'rowid' },
  { name: 'auctions', key: ['id'], counted: 'id' },
  { name: 'auction_quotes', key: ['id'], counted: 'id', left: ['block_number', 'block_hash', 'leaf'] },
  { name: 'status_counts', key: ['maker'] },
  { name: 'quote_statuses', key: ['id'], counted: 'id' },
  { name: 'quote_ends', key: ['hash'] },
  { name: 'nonce_raises', key: ['block_number', 'log_index'] },
  { name: 'pools', key: ['pool_id'] },
  { name: 'series', key: ['series_key'] },
  { name: 'positions', key: ['position_id'] },
  { name: 'settlements', key: ['position_id'] },
  { name: 'floating_points', key: ['pool_id', 'hour'] },
  { name: 'fill_days', key: ['series_key', 'day'] },
  { name: 'offer_days', key: ['series_key', 'day'] },
  { name: 'day_prices', key: ['series_key', 'day', 'kind'] },
  { name: 'controls', key: ['kind', 'subject'] },
  { name: 'audit', key: ['id'], counted: 'id' },
  { name: 'blocks', key: ['number'] },
  { name: 'sync_cursor', key: ['id'] },
]
const facts: Table = { name: 'identity', key: ['key'] }
/**
 * Source tables that are not copied, besides SQLite's internal tables. `fixed_points` is no longer used. PostgreSQL has no
 * proofs yet.
 */
const left = [
  ...['identity', 'probes', 'fixed_points', 'kysely_migration', 'kysely_migration_lock'],
  ...['logs', 'log_entries', 'log_tiles', 'auction_proofs'],
]

/** The `identity` key that marks an incomplete copy. */
const copyingFact = 'copying_since'

/** Keys of `identity` to copy. Other keys, such as the hint key, belong to one database. */
const identityKeys = ['chainId', 'genesisHash', 'quoteMarket']

/**
 * Copies a database. A marker in the target shows that the copy is incomplete. Rows are inserted in key order, so a
 * table's largest key shows how much of it has been copied. After an interruption, running the same command again
 * resumes the copy. At the end, all rows are compared between the two databases.
 *
 * @throws {ConfigurationError} if the target has other data, is unsuitable, or differs from the source at the end. The
 * message says what to do.
 */
export async function copyDatabase({ source, target, report, batchRows = 1_000 }: CopyOptions): Promise<void> {
  const location = locationOf(target)
  checkTables(source)
  const client = await connectOnce(target)
  try {
    const resumed = await begin(client, source, location)
    report(resumed ? `Resuming the copy to ${location}.` : `Copying to ${location}.`)
    for (const table of tables) await copyTable(client, source, await typed(client, source, table), batchRows, report)
    report('Comparing all rows.')
    for (const table of [facts, ...tables]) {
      const { rows, digest } = await compareTable(
        client,
        source,
        await typed(client, source, table),
        batchRows,
        location,
      )
      report(`${table.name}: ${rows} identical rows (SHA-256 ${digest}).`)
    }
    await end(client, source)
    report(`The copy is complete. Start the servers with the DATABASE_URL of ${location}.`)
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof TypeError) throw error
    const { shortMessage } = describeFailure(error, target)
    throw new ConfigurationError(`${shortMessage} Run the same command again to resume.`, { cause: error })
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Rejects a database with an incomplete copy.
 *
 * @throws {ConfigurationError} if the copy is incomplete.
 */
export async function checkComplete(
  query: (text: string, values: unknown[]) => Promise<readonly unknown[]>,
  url: string,
): Promise<void> {
  const found = await query('select 1 from identity where key = $1', [copyingFact])
  if (found.length === 0) return
  throw new ConfigurationError(
    `The database ${locationOf(url)} has an incomplete copy; run "firmquote-server copy" with this database again to resume.`,
  )
}

/** Rejects a source with tables missing from the list above, because a copy would silently omit them. */
function checkTables(source: Database): void {
  const names = source
    .prepare<[], string>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .pluck()
    .all()
  const known = [...tables.map(({ name }) => name), ...left]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new TypeError(`The copy does not list the tables ${unknown.join(', ')}.`)
}

/**
 * Marks the target as an incomplete copy of this source, or resumes such a copy.
 *
 * @returns whether a copy is being resumed.
 */
async function begin(client: pg.Client, source: Database, location: string): Promise<boolean> {
  const identity = source
    .prepare<[], { key: string; value: string }>('select key, value from identity')
    .all()
    .filter(({ key }) => identityKeys.includes(key))
  if (identity.length === 0)
    throw new ConfigurationError('The database in DATA_DIR is empty; there is nothing to copy.')
  const found = await client.query<{ key: string; value: string }>('select key, value from identity')
  const known = new Map(found.rows.map(({ key, value }) => [key, value]))
  if (known.has(copyingFact)) {
    const other = identity.find(({ key, value }) => known.get(key) !== value)
    if (!other) return true
    throw new ConfigurationError(
      `The database ${location} has an incomplete copy of another database (${other.key}); choose an empty one.`,
    )
  }
  const { rows } = await client.query(
    tables.map(({ name }) => `(select '${name}' as name from ${name} limit 1)`).join(' union all '),
  )
  if (rows.length > 0 || identityKeys.some((key) => known.has(key))) {
    throw new ConfigurationError(`The database ${location} already has data and was not changed; choose an empty one.`)
  }
  // Use a single statement, so that it conflicts with the insert of a server starting at the same time. If that server
  // wrote the identity first, the insert fails; otherwise, the server sees the marker.
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
  const written = columns.filter(({ isComputed }) => !isComputed)
  const names = written.map((column) => column.name)
  const insert = `insert into ${name} (${names.join(', ')}) overriding system value
    select * from unnest(${written.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})`
  let after = await lastKey(client, table)
  let copied = after === null ? 0n : countUpTo(source, table, after)
  let reportedAt = Date.now()
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
    if (Date.now() - reportedAt < 1_000) continue
    reportedAt = Date.now()
    report(`${name}: ${copied} of ${total} rows.`)
  }
}

/**
 * Compares a table in the two databases row by row.
 *
 * @throws {ConfigurationError} for the first row that differs.
 */
async function compareTable(
  client: pg.Client,
  source: Database,
  table: TypedTable,
  batchRows: number,
  location: string,
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
        `The database ${location} differs from the one in DATA_DIR in ${table.name} at ${keyOf(table, row).map(show).join(', ')}: ` +
          'one of them was changed during the copy; empty the target, stop the server and copy again.',
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
  if (digest !== copy) throw new TypeError(`The digests of ${table.name} differ, although its rows are equal.`)
  return { rows, digest }
}

/** Advances the sequences past all source IDs, including those of deleted rows, then removes the marker. */
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
  const { counted, left: without = [] } = table
  const names = [...new Set([...visible, ...(counted === undefined ? [] : [counted])])]
  const { rows } = await client.query<{ name: string; type: string; computed: boolean }>(
    `select attname as name, format_type(atttypid, null) as type, attgenerated <> '' as computed from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table.name],
  )
  const known = new Map(rows.map((row) => [row.name, row]))
  const columns = names
    .filter((name) => !without.includes(name))
    .map((name) => {
      const found = known.get(name)
      if (!found) throw new TypeError(`The target has no column ${table.name}.${name}.`)
      return { name, type: found.type, isComputed: found.computed }
    })
  return { ...table, columns }
}

/** Key columns for `order by` and comparisons. Text is compared bytewise, as in SQLite. */
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
  const continued = after ? [`(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`] : []
  return source
    .prepare<unknown[], Row>(
      `select ${columns.map((column) => column.name).join(', ')} from ${name} ${where([...continued, ...copied(table)])} order by ${key.join(', ')} limit ?`,
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

/** A filter for the `identity` keys to copy. */
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

/** Encodes a row as bytes that are identical for both databases. Returns an empty buffer for a missing row. */
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
