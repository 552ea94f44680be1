// Why: docs/decisions/0045-one-script-two-databases.md
import type { PreparedQuery } from './preparedQuery.ts'

/** A query with its values, for the database to answer. */
export type Asked<Row = unknown> = { query: PreparedQuery<never, Row>; given: unknown }

/**
 * What is decided with a database: it yields queries, goes on with their rows, and returns what it has come to. The same script
 * runs on SQLite at once and on PostgreSQL in turns, so it is written once.
 *
 * A query that fails ends its script, which must not catch that: the transaction is lost with it. A script may be begun again
 * from its start, so it changes nothing but through its queries.
 */
export type Script<Result> = Generator<Asked | readonly Asked[], Result, unknown[]>

/** Asks the database, within whatever transaction the script runs in. Values are given by name. */
export function* run<Given, Row>(
  query: PreparedQuery<Given, Row>,
  ...[given]: unknown extends Given ? [] : [given: Given]
): Script<Row[]> {
  return (yield { query: query as PreparedQuery<never, unknown>, given }) as Row[]
}

/** A query for {@link runAll}. */
export function ask<Given, Row>(
  query: PreparedQuery<Given, Row>,
  ...[given]: unknown extends Given ? [] : [given: Given]
): Asked<Row> {
  return { query: query as PreparedQuery<never, Row>, given }
}

/**
 * Asks queries of which none needs the answer of another one, in their order, and gives the rows of each. PostgreSQL is sent all of
 * them at once: however many they are, they take one round trip. Only for a script that runs in a transaction, and so on one
 * connection.
 */
export function* runAll<Row>(asked: readonly Asked<Row>[]): Script<Row[][]> {
  return asked.length === 0 ? [] : ((yield asked) as Row[][])
}

/** Asks something of each item, one after the other, and gives all the rows. */
export function* forEach<Item, Row>(
  items: readonly Item[],
  ask: (item: Item) => Script<readonly Row[]>,
): Script<Row[]> {
  const rows: Row[] = []
  for (const item of items) rows.push(...(yield* ask(item)))
  return rows
}

/** Runs a script on a database that answers at once. */
export function runNow<Result>(answer: (asked: Asked) => unknown[], script: Script<Result>): Result {
  let step = script.next()
  while (!step.done) step = script.next(isOne(step.value) ? answer(step.value) : step.value.map(answer))
  return step.value
}

/** Runs a script on a database that answers later: what is asked in one step before the first answer has come. */
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
