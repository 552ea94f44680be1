import type { PreparedQuery } from './preparedQuery.ts'

/** A query with its values, for the database to answer. */
export type Asked = { query: PreparedQuery<never, unknown>; given: unknown }

/**
 * What is decided with a database: it yields queries, goes on with their rows, and returns what it has come to. The same script
 * runs on SQLite at once and on PostgreSQL in turns, so it is written once.
 *
 * A query that fails ends its script, which must not catch that: the transaction is lost with it. A script may be begun again
 * from its start, so it changes nothing but through its queries.
 */
export type Script<Result> = Generator<Asked, Result, unknown[]>

/** Asks the database, within whatever transaction the script runs in. Values are given by name. */
export function* run<Given, Row>(
  query: PreparedQuery<Given, Row>,
  ...[given]: unknown extends Given ? [] : [given: Given]
): Script<Row[]> {
  return (yield { query: query as PreparedQuery<never, unknown>, given }) as Row[]
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
  while (!step.done) step = script.next(answer(step.value))
  return step.value
}

/** Runs a script on a database that answers later: one query after the other. */
export async function runInTurns<Result>(
  answer: (asked: Asked) => Promise<unknown[]>,
  script: Script<Result>,
): Promise<Result> {
  let step = script.next()
  while (!step.done) step = script.next(await answer(step.value))
  return step.value
}
