import { type RawBuilder, type RawNode, type SqlBool, sql } from 'kysely'

/** The databases that the queries run on. */
export type Dialect = 'sqlite' | 'postgres'

/** SQL that differs between databases. A compiler renders the SQLite variant unless it supports the PostgreSQL one. */
export type VariantNode = RawNode & { postgres: RawNode }

/** SQL that differs between the databases. */
export function perDialect<Value>({ sqlite, postgres }: Record<Dialect, RawBuilder<unknown>>): RawBuilder<Value> {
  const node: VariantNode = { ...nodeOf(sqlite), postgres: nodeOf(postgres) }
  return sql<Value>`${{ expressionType: undefined, toOperationNode: () => node }}`
}

function nodeOf(builder: RawBuilder<unknown>): RawNode {
  return builder.toOperationNode() as RawNode
}

/**
 * A parameter whose value is hidden from SQLite's planner. If SQLite saw the value, it would replan the query on every
 * run, which takes several times as long as finding the first row.
 */
export const bound = <Value>(value: Value): RawBuilder<Value> =>
  perDialect({ sqlite: sql`+${value}`, postgres: sql`${value}` })

/** A column whose index SQLite must not use, because all rows would then have to be read or sorted. */
export const unindexed = <Value = number>(column: string): RawBuilder<Value> =>
  perDialect({ sqlite: sql.raw(`+${column}`), postgres: sql.raw(column) })

/**
 * Whether a blob starts with a prefix. SQLite's indexes contain only a prefix of a long key. PostgreSQL indexes the
 * whole column, and given a second condition it would multiply the selectivities and underestimate the number of rows.
 */
export const startsWith = (column: string, start: unknown): RawBuilder<SqlBool> =>
  perDialect({ sqlite: sql`substr(${sql.raw(column)}, 1, 8) = ${bound(start)}`, postgres: sql`true` })

/** A blob as upper-case hex digits. */
export const hexDigits = (column: string): RawBuilder<string> =>
  perDialect({ sqlite: sql.raw(`hex(${column})`), postgres: sql.raw(`(upper(encode(${column}, 'hex')) collate "C")`) })

/** A blob literal. */
export const blobLiteral = (bytes: Buffer): RawBuilder<Buffer> =>
  perDialect({
    sqlite: sql.raw(`x'${bytes.toString('hex')}'`),
    postgres: sql.raw(`'\\x${bytes.toString('hex')}'::bytea`),
  })

/** Joins all texts in a group with commas. */
export const joinTexts = (text: RawBuilder<string>): RawBuilder<string> =>
  perDialect({ sqlite: sql`group_concat(${text})`, postgres: sql`string_agg(${text}, ',')` })

/** The largest blob in a group, or null if the group has none. */
export const largestBlob = (column: string): RawBuilder<Buffer> =>
  perDialect({
    sqlite: sql.raw(`max(${column})`),
    postgres: sql.raw(`(array_agg(${column} order by ${column} desc))[1]`),
  })

/** An integer field of a JSON text. */
export const jsonInteger = (column: string, name: string): RawBuilder<number> =>
  perDialect({
    sqlite: sql.raw(`${column} ->> '$.${name}'`),
    postgres: sql.raw(`(${column}::json ->> '${name}')::bigint`),
  })

/** Forces an index on SQLite if its statistics would favor another one. */
export const indexedBy = (index: string): RawBuilder<unknown> =>
  perDialect({ sqlite: sql.raw(`indexed by ${index}`), postgres: sql.raw('') })

/** Generates filler bytes in SQLite, so that a write shows whether the disk has space. */
export const fillerBytes = (count: number): RawBuilder<Buffer> =>
  perDialect({ sqlite: sql.raw(`randomblob(${count})`), postgres: sql.raw(`'\\x00'::bytea`) })
