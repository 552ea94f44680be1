import {
  type Compilable,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Tables } from './schema.ts'

/** A query that is compiled once and run often: building it costs more than SQLite takes to answer it. */
export type PreparedQuery<Given, Row> = {
  sql: string
  /** What is bound, in the order in which the text has it. */
  bind(given: Given): unknown[]
  row?: Row
  /** A row is the value of its only column. */
  pluck?: true
}

/** Runs a prepared query at once, within whatever transaction is open on its connection. Its values are given by name. */
export type RunQuery = <Given, Row>(
  query: PreparedQuery<Given, Row>,
  ...given: unknown extends Given ? [] : [given: Given]
) => Row[]

class Placeholder {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/**
 * Compiles a query once. The second argument of `build` stands for the values that it is run with.
 *
 * @example
 * const selectSeries = prepareQuery((on, given: { pool: Buffer }) =>
 *   on.selectFrom('series').selectAll().where('pool_id', '=', given.pool),
 * )
 * run(selectSeries, { pool })
 */
export function prepareQuery<Given, Row>(
  build: (on: Kysely<Tables>, given: Given) => Compilable<Row>,
): PreparedQuery<Given, Row> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(name) }) as Given
  const { sql, parameters } = build(compiler, placeholders).compile()
  return {
    sql,
    bind: (given) =>
      parameters.map((value) => (value instanceof Placeholder ? given[value.name as keyof Given] : value)),
  }
}

/** The same query of one column, whose value is then the row: an object for each would cost as much as reading it. */
export function pluck<Given, Row>({ sql, bind }: PreparedQuery<Given, Row>): PreparedQuery<Given, Row[keyof Row]> {
  return { sql, bind, pluck: true }
}

/** Some of the given values by their names: a row for `values`, which checks that no column is missing. */
export function pick<Given, Name extends keyof Given>(given: Given, names: readonly Name[]): Pick<Given, Name> {
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Pick<Given, Name>
}

/** The blobs of a list of {@link blobList}: one value however many it holds, so that the query stays the same. */
export const blobsOf = (list: string) => sql<Buffer>`(select unhex(value) from json_each(${list}))`

/** Blobs as the one text that {@link blobsOf} takes. */
export function blobList(blobs: readonly Buffer[]): string {
  return JSON.stringify(blobs.map((blob) => blob.toString('hex')))
}

/** Builds queries, and runs none. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
