import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from './schema.ts'

/** A query that is compiled once and run often: building it costs more than SQLite takes to answer it. */
export type PreparedQuery<Row> = Pick<CompiledQuery<Row>, 'sql'> & {
  row?: Row
  /** A row is the value of its only column. */
  pluck?: true
}

/**
 * Runs a prepared query at once, on a connection and so within whatever transaction is open there. Its parameters stand in
 * the order in which they stand in it, whatever it was built with.
 */
export type RunQuery = <Row>(query: PreparedQuery<Row>, parameters: readonly unknown[]) => Row[]

/** Compiles a query once. */
export function prepareQuery<Row>(build: (on: Kysely<Tables>) => Compilable<Row>): PreparedQuery<Row> {
  const { sql } = build(nowhere).compile()
  return { sql }
}

/** Builds queries, and runs none. */
const nowhere = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
