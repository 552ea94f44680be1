// Why: docs/decisions/0008-precompiled-queries.md
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Address } from 'viem'
import { byteaArray } from '../../postgresStore/binaryArrays.ts'
import { blobOf } from './blobs.ts'
import { perDialect, type VariantNode } from './dialect.ts'
import type { Tables } from './schema.ts'

/** A query's SQL for one database, with its parameters. */
export type CompiledQuery<Given> = {
  sql: string
  /** The parameters, in the order the SQL uses them. */
  bind(given: Given): unknown[]
}

/** A query that is compiled once, because building it takes longer than running it on SQLite. */
export type PreparedQuery<Given, Row> = {
  /** The SQLite query is null if none is needed, because SQLite has a single writer. */
  sqlite: CompiledQuery<Given> | null
  /** Compiled on first use. */
  readonly postgres: CompiledQuery<Given>
  row?: Row
  /** Returns the value of each row's only column instead of an object. */
  pluck?: true
}

class Placeholder {
  readonly name: PropertyKey
  readonly encode: ((value: never) => unknown) | null

  constructor(name: PropertyKey, encode: ((value: never) => unknown) | null = null) {
    this.name = name
    this.encode = encode
  }
}

/**
 * Compiles a query once. The second argument of `build` represents the parameters.
 *
 * @example
 * const selectSeries = prepareQuery((on, given: { pool: Buffer }) =>
 * on.selectFrom('series').selectAll().where('pool_id', '=', given.pool),
 * )
 * const rows = yield* run(selectSeries, { pool })
 */
export function prepareQuery<Given, Row>(build: BuildQuery<Given, Row>): PreparedQuery<Given, Row> {
  return withPostgres({ sqlite: compile(sqliteCompiler, build) }, () => compile(postgresCompiler, build))
}

/** Compiles a query that only PostgreSQL needs. On SQLite, the query returns no rows. */
export function prepareForPostgres<Given, Row>(build: BuildQuery<Given, Row>): PreparedQuery<Given, Row> {
  return withPostgres({ sqlite: null }, () => compile(postgresCompiler, build))
}

/** The same query, returning plain values as rows. Creating an object per row would take as long as reading it. */
export function pluck<Given, Row>(query: PreparedQuery<Given, Row>): PreparedQuery<Given, Row[keyof Row]> {
  return withPostgres({ sqlite: query.sqlite, pluck: true }, () => query.postgres)
}

/** Picks values by name to form a row for `values`. The compiler checks that no column is missing. */
export function pick<Given, Name extends keyof Given>(given: Given, names: readonly Name[]): Pick<Given, Name> {
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Pick<Given, Name>
}

/** A list of blobs for `in`. The list is a single parameter, so the SQL does not depend on its length. */
export const blobsOf = (list: readonly Buffer[]) =>
  perDialect<Buffer>({
    sqlite: sql`(select unhex(value) from json_each(${encoded(list, blobList)}))`,
    postgres: sql`(select unnest(${list}::bytea[]))`,
  })

/** A list of accounts for `in`. Its encoding is remembered, because long lists rarely change. */
export const makersOf = (list: readonly Address[]) =>
  perDialect<Buffer>({
    sqlite: sql`(select unhex(value) from json_each(${encoded(list, remembered(accountList))}))`,
    postgres: sql`(select unnest(${encoded(list, remembered(accountArray))}::bytea[]))`,
  })

/** A list of integers for `in`. */
export const integersOf = (list: readonly number[]) =>
  perDialect<number>({
    sqlite: sql`(select value from json_each(${encoded(list, JSON.stringify)}))`,
    postgres: sql`(select unnest(${list}::bigint[]))`,
  })

type BuildQuery<Given, Row> = (on: Kysely<Tables>, given: Given) => Compilable<Row>

/** Encodes blobs as one text. */
function blobList(blobs: readonly Buffer[]): string {
  return JSON.stringify(blobs.map((blob) => blob.toString('hex')))
}

/** Encodes accounts as one text, sorted, so that SQLite appends each one to its index of them. */
function accountList(accounts: readonly Address[]): string {
  return JSON.stringify(accounts.map((account) => account.slice(2).toLowerCase()).sort())
}

function accountArray(accounts: readonly Address[]): Buffer {
  return byteaArray(accounts.map(blobOf))
}

/** The same function, which remembers its result for each list. */
function remembered<List extends object, Result>(encode: (list: List) => Result): (list: List) => Result {
  const known = new WeakMap<List, Result>()
  return (list) => {
    const result = known.get(list) ?? encode(list)
    known.set(list, result)
    return result
  }
}

/** A parameter with an encoding function. */
function encoded<Value>(value: Value, encode: (value: Value) => unknown): unknown {
  if (!(value instanceof Placeholder)) throw new TypeError('Only parameters can be encoded.')
  return new Placeholder(value.name, encode)
}

function compile<Given, Row>(compiler: Kysely<Tables>, build: BuildQuery<Given, Row>): CompiledQuery<Given> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(name) }) as Given
  const { sql, parameters } = build(compiler, placeholders).compile()
  return {
    sql,
    bind: (given) =>
      parameters.map((value) => {
        if (!(value instanceof Placeholder)) return value
        const bound = given[value.name as keyof Given]
        return value.encode ? value.encode(bound as never) : bound
      }),
  }
}

function withPostgres<Given, Row>(
  query: Omit<PreparedQuery<Given, Row>, 'postgres'>,
  compileIt: () => CompiledQuery<Given>,
): PreparedQuery<Given, Row> {
  let compiled: CompiledQuery<Given> | null = null
  return {
    ...query,
    get postgres() {
      compiled ??= compileIt()
      return compiled
    },
  }
}

/** Compiles queries without running them. */
const sqliteCompiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** Renders the PostgreSQL variant of a node if it has one. */
class VariantCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw((node as Partial<VariantNode>).postgres ?? node)
  }
}

const postgresCompiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new VariantCompiler(),
  },
})
