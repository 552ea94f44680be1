import { type RawBuilder, type RawNode, type SqlBool, sql } from 'kysely'

/** The kinds of database that the same queries run on. */
export type Dialect = 'sqlite' | 'postgres'

/** A piece of a query whose text differs; it is compiled for SQLite unless the compiler knows the other one. */
export type VariantNode = RawNode & { postgres: RawNode }

/** What differs between the two: each of them where the query has this piece. */
export function perDialect<Value>({ sqlite, postgres }: Record<Dialect, RawBuilder<unknown>>): RawBuilder<Value> {
  const node: VariantNode = { ...nodeOf(sqlite), postgres: nodeOf(postgres) }
  return sql<Value>`${{ expressionType: undefined, toOperationNode: () => node }}`
}

function nodeOf(builder: RawBuilder<unknown>): RawNode {
  return builder.toOperationNode() as RawNode
}

/**
 * A value that SQLite must not see through: where it knows what is bound, it plans the query again at every run, which takes
 * several times as long as finding the first row.
 */
export const bound = <Value>(value: Value): RawBuilder<Value> =>
  perDialect({ sqlite: sql`+${value}`, postgres: sql`${value}` })

/** A column whose index SQLite must not use: for a list in another order, which it would then sort whole. */
export const unindexed = (column: string): RawBuilder<number> =>
  perDialect({ sqlite: sql.raw(`+${column}`), postgres: sql.raw(column) })

/**
 * Whether the start of a blob is this one: what an index of SQLite holds of a long key. PostgreSQL has an index of the whole column,
 * and would count both conditions as if each left out rows of its own.
 */
export const startsWith = (column: string, start: unknown): RawBuilder<SqlBool> =>
  perDialect({ sqlite: sql`substr(${sql.raw(column)}, 1, 8) = ${bound(start)}`, postgres: sql`true` })

/** The upper-case hex digits of a blob. */
export const hexDigits = (column: string): RawBuilder<string> =>
  perDialect({ sqlite: sql.raw(`hex(${column})`), postgres: sql.raw(`(upper(encode(${column}, 'hex')) collate "C")`) })

/** Bytes that stand in the text. */
export const blobLiteral = (bytes: Buffer): RawBuilder<Buffer> =>
  perDialect({
    sqlite: sql.raw(`x'${bytes.toString('hex')}'`),
    postgres: sql.raw(`'\\x${bytes.toString('hex')}'::bytea`),
  })

/** All texts of a group, one after the other with commas between them. */
export const joinTexts = (text: RawBuilder<string>): RawBuilder<string> =>
  perDialect({ sqlite: sql`group_concat(${text})`, postgres: sql`string_agg(${text}, ',')` })

/** The largest blob of a group; null where it has none. */
export const largestBlob = (column: string): RawBuilder<Buffer> =>
  perDialect({
    sqlite: sql.raw(`max(${column})`),
    postgres: sql.raw(`(array_agg(${column} order by ${column} desc))[1]`),
  })

/** A whole number in a text that is JSON. */
export const jsonInteger = (column: string, name: string): RawBuilder<number> =>
  perDialect({
    sqlite: sql.raw(`${column} ->> '$.${name}'`),
    postgres: sql.raw(`(${column}::json ->> '${name}')::bigint`),
  })

/** Says which index SQLite takes, where by its statistics it would take another. */
export const indexedBy = (index: string): RawBuilder<unknown> =>
  perDialect({ sqlite: sql.raw(`indexed by ${index}`), postgres: sql.raw('') })

/** So many bytes that mean nothing, on SQLite: they show whether there is room on the disk. */
export const fillerBytes = (count: number): RawBuilder<Buffer> =>
  perDialect({ sqlite: sql.raw(`randomblob(${count})`), postgres: sql.raw(`'\\x00'::bytea`) })

/**
 * The time that decides, in Unix milliseconds: the one that is given, or without one that of the clock that all machines
 * share. It is read when the row is, not when the transaction has begun: a transaction may have waited for the row.
 */
export const timeOr = (at: number | null): RawBuilder<number> =>
  perDialect({
    sqlite: sql`${at}`,
    postgres: sql`coalesce(${at}::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`,
  })
