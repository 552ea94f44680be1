// Why: docs/decisions/0045-one-script-two-databases.md
import type { PreparedQuery } from './preparedQuery.ts'

/** A query with its parameters. */
export type Asked<Row = unknown> = { query: PreparedQuery<never, Row>; given: unknown }

/**
 * Database logic as a generator that yields queries, receives their rows, and returns a result. The same script runs synchronously on SQLite and
 * asynchronously on PostgreSQL.
 *
 * A failed query ends the script and its transaction, so a script must not catch errors. A script may be restarted, so
 * it must have no side effects other than its queries.
 */
export type Script<Result> = Generator<Asked | readonly Asked[], Result, unknown[]>

/** Runs a query in the script's transaction. Parameters are passed by name. */
export function* run<Given, Row>(
  query: PreparedQuery<Given, Row>,
  ...[given]: unknown extends Given ? [] : [given: Given]
): Script<Row[]> {
  return (yield { query: query as PreparedQuery<never, unknown>, given }) as Row[]
}

/** Creates a query for {@link runAll}. */
export function ask<Given, Row>(
  query: PreparedQuery<Given, Row>,
  ...[given]: unknown extends Given ? [] : [given: Given]
): Asked<Row> {
  return { query: query as PreparedQuery<never, Row>, given }
}

/**
 * Runs independent queries in order and returns each one's rows. On PostgreSQL, all queries are sent together. Use this
 * function only in a transaction, where the script has a single connection.
 */
export function* runAll<Row>(asked: readonly Asked<Row>[]): Script<Row[][]> {
  return asked.length === 0 ? [] : ((yield asked) as Row[][])
}

/** Runs a script for each item, in order, and returns all rows. */
export function* forEach<Item, Row>(
  items: readonly Item[],
  ask: (item: Item) => Script<readonly Row[]>,
): Script<Row[]> {
  const rows: Row[] = []
  for (const item of items) rows.push(...(yield* ask(item)))
  return rows
}

/** Runs a script on a synchronous database. */
export function runNow<Result>(answer: (asked: Asked) => unknown[], script: Script<Result>): Result {
  let step = script.next()
  while (!step.done) step = script.next(isOne(step.value) ? answer(step.value) : step.value.map(answer))
  return step.value
}

/** Runs a script on an asynchronous database. Queries in the same step are sent together. */
export async function runInSlices<Result>(
  answer: (asked: Asked) => Promise<unknown[]>,
  script: Script<Result>,
): Promise<Result> {
  let step = script.next()
  while (!step.done) {
    const asked = step.value
    step = script.next(await (isOne(asked) ? answer(asked) : Promise.all(asked.map(answer))))
  }
  return step.value
}

function isOne(asked: Asked | readonly Asked[]): asked is Asked {
  return 'query' in asked
}
