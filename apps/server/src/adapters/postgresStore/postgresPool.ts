// Why: docs/decisions/0046-postgresql-writes.md
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import { ConfigurationError, OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { afterPendingReads } from '../../scheduling/eventLoop.ts'
import { asynchronousReason, limits, unsupportedSetting } from './checkSettings.ts'
import { parsePostgresAddress } from './postgresAddress.ts'
import { openConnection, type PostgresConnection, type Statement } from './postgresConnection.ts'
import { isAborted, isConflict, isRefusal, unavailable, unknownOutcome } from './postgresFailure.ts'

/** Runs one statement and returns its rows. */
export type QueryPostgres = <Row>(text: string, values?: readonly unknown[], name?: string) => Promise<Row[]>

/** Connections to the writable server. Every call rejects within 2 s if the server does not respond. */
export type PostgresPool = {
  /**
   * Runs one statement outside a transaction, in READ COMMITTED.
   *
   * @throws {StorageUnavailableError} if the statement was rejected or not sent.
   * @throws {OutcomeUnknownError} if no response arrived; a write may have taken effect.
   */
  query: QueryPostgres
  /**
   * Runs statements one by one in a READ COMMITTED transaction, so that each sees earlier commits. If `run` throws, the
   * transaction is rolled back. On a conflict, `run` is retried up to three times.
   *
   * @throws {StorageUnavailableError} if nothing was stored.
   * @throws {OutcomeUnknownError} if the commit was sent but may not be durable.
   */
  transact<Result>(run: (query: QueryPostgres) => Promise<Result>): Promise<Result>
  /**
   * Sends independent statements together and runs them in one transaction, ahead of other work. Returns the rows of
   * each. Throws as `transact` does.
   */
  batch(statements: readonly Statement[]): Promise<unknown[][]>
  /** Runs read-only queries in a single snapshot. */
  snapshot<Result>(run: (query: QueryPostgres) => Promise<Result>): Promise<Result>
  /** Closes the pool. Waits for running statements, but no longer than the response timeout. */
  close(): Promise<void>
}

/** Options of {@link createPostgresPool}. */
export type PostgresPoolOptions = {
  /** `postgres://user:password@host:5432/name`, with multiple hosts separated by commas. */
  url: string
  clock: Clock
  log: Pick<Logger, 'warn' | 'info'>
  /** Maximum number of connections, two of which are reserved for batches. Default: 10. */
  size?: number
  /** Accepts servers with asynchronous standbys. */
  allowAsyncReplicas?: boolean
  /** Called before every statement. Returns the statement to send instead. For tests of interleavings. */
  beforeStatement?: (statement: Statement) => Promise<Statement>
}

/** Number of connections reserved for {@link PostgresPool.batch}. */
export const reservedForBatches = 2
/** Minimum and maximum delay between connection attempts, in milliseconds. The delay doubles after each attempt. */
const [firstPauseMs, maxPauseMs] = [100, 800]
const maxTries = 4

const begin = 'begin isolation level read committed read write'
/**
 * The message forces a WAL record. Without a WAL record, the commit of a transaction that changed nothing would not
 * wait for the standby, although the transaction may have read rows that are not replicated yet. With the record, a
 * write is durable by the time it is acknowledged.
 */
const commit = `select pg_logical_emit_message(true, 'firmquote', ''); commit`

type Waiting = { isBatch: boolean; resolve(connection: PostgresConnection): void; reject(error: Error): void }

/**
 * Connects to the first writable server in an address.
 *
 * @throws {ConfigurationError} if a server is unsuitable for writes.
 * @throws {StorageUnavailableError} if no server responds.
 */
export async function createPostgresPool(options: PostgresPoolOptions): Promise<PostgresPool> {
  const { clock, log, size = 10, allowAsyncReplicas = false, beforeStatement } = options
  const targets = parsePostgresAddress(options.url)
  const idle: PostgresConnection[] = []
  const lent = new Set<PostgresConnection>()
  const waiting: Waiting[] = []
  let opening = 0
  let newestTimeline = 0
  let preferred = 0
  let failure: StorageUnavailableError | null = null
  let failuresInARow = 0
  let cancelPause = () => {}
  let closing = false
  let drained: (() => void) | null = null

  const open = async (): Promise<PostgresConnection> => {
    let first: Error | undefined
    for (let tried = 0; tried < targets.length; tried++) {
      const index = (preferred + tried) % targets.length
      const target = targets[index]
      if (!target) break
      try {
        const connection: PostgresConnection = await openConnection(target, {
          clock,
          onGone: ({ timedOut }) => forget(connection, timedOut),
        })
        const reason = unsupportedSetting(connection.settings, newestTimeline)
        if (reason === null) {
          preferred = index
          newestTimeline = connection.settings.timeline
          return connection
        }
        await connection.close()
        first ??= new ConfigurationError(`The database at ${target.name} cannot be used. ${reason}`)
      } catch (error) {
        first ??= unavailable(error)
      }
    }
    throw first
  }

  const forget = (connection: PostgresConnection, timedOut: boolean) => {
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
    // The other connections may be stalled as well, so no statement is sent until a new connection responds.
    if (timedOut) fail(new StorageUnavailableError('The database did not respond in time.'))
  }

  const fail = (error: Error) => {
    if (closing) return
    if (failure?.message !== error.message) log.warn({ err: error }, 'failed to connect to the database; will retry')
    const isNew = failure === null
    failure = error instanceof StorageUnavailableError ? error : new StorageUnavailableError(error.message)
    for (const { reject } of waiting.splice(0)) reject(failure)
    if (isNew) retryLater()
  }
  const retryLater = () => {
    const pause = Math.min(firstPauseMs * 2 ** failuresInARow, maxPauseMs)
    failuresInARow += 1
    cancelPause = clock.after(pause * (0.5 + Math.random() / 2), () => void reconnect())
  }
  const reconnect = async () => {
    try {
      const connection = await open()
      failure = null
      failuresInARow = 0
      log.info('reconnected to the database')
      put(connection)
    } catch (error) {
      fail(error as Error)
      if (!closing) retryLater()
    }
  }

  const mayLend = (isBatch: boolean) => lent.size < (isBatch ? size : Math.max(1, size - reservedForBatches))
  const serve = () => {
    for (let at = 0; at < waiting.length; ) {
      const next = waiting[at]
      if (!next || !mayLend(next.isBatch)) at += 1
      else {
        const connection = idle.pop()
        if (!connection) return grow()
        waiting.splice(at, 1)
        lent.add(connection)
        next.resolve(connection)
      }
    }
  }
  const grow = () => {
    if (failure || opening >= waiting.length || idle.length + lent.size + opening >= size) return
    opening += 1
    open()
      .then(put, (error: unknown) => fail(error as Error))
      .finally(() => {
        opening -= 1
      })
  }
  const put = (connection: PostgresConnection) => {
    lent.delete(connection)
    if (closing && lent.size === 0 && waiting.length === 0) drained?.()
    if (connection.isOpen()) {
      if (closing && waiting.length === 0) void connection.close()
      else idle.push(connection)
    }
    serve()
  }

  const take = (isBatch: boolean): Promise<PostgresConnection> =>
    new Promise((resolve, reject) => {
      if (closing) throw new StorageUnavailableError('The database is closed.')
      if (failure) throw failure
      const cancel = afterPendingReads(clock, limits.answer, () => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(new StorageUnavailableError('All connections to the database are busy.'))
      })
      const entry: Waiting = {
        isBatch,
        resolve(connection) {
          cancel()
          resolve(connection)
        },
        reject(error) {
          cancel()
          reject(error)
        },
      }
      waiting.push(entry)
      serve()
    })

  const ask = async (connection: PostgresConnection, statement: Statement) => {
    const asked = beforeStatement ? await beforeStatement(statement) : statement
    try {
      return await connection.ask(asked)
    } catch (error) {
      throw unavailable(error)
    }
  }

  const commitOn = async (connection: PostgresConnection): Promise<void> => {
    connection.takeWarnings()
    let command: string
    try {
      ;({ command } = await ask(connection, { text: commit }))
    } catch (error) {
      // An earlier statement failed, so there was nothing to commit.
      throw isAborted(error) ? error : unknownOutcome(error)
    }
    const [warning] = connection.takeWarnings()
    // Warning 01000 means that the server stopped waiting for its standby.
    if (warning !== undefined) throw new OutcomeUnknownError(`The commit ended with the warning ${warning}.`)
    if (command !== 'COMMIT') throw new OutcomeUnknownError(`The commit was answered with ${command}.`)
  }

  const rollBack = async (connection: PostgresConnection) => {
    try {
      await connection.ask({ text: 'rollback' })
    } catch {
      connection.destroy()
    }
  }

  /** Runs a function that ends its transaction itself. Retries the function on a conflict. */
  const inTransaction = async <Result>(
    isBatch: boolean,
    work: (connection: PostgresConnection) => Promise<Result>,
  ): Promise<Result> => {
    const connection = await take(isBatch)
    try {
      for (let tried = 1; ; tried++) {
        try {
          return await work(connection)
        } catch (error) {
          await rollBack(connection)
          if (tried === maxTries || !isConflict(error)) throw error
        }
      }
    } finally {
      put(connection)
    }
  }

  const interactive = <Result>(
    start: string,
    end: (connection: PostgresConnection) => Promise<unknown>,
    run: (query: QueryPostgres) => Promise<Result>,
  ) =>
    inTransaction(false, async (connection) => {
      // This statement is sent together with the first statement.
      const begun = ask(connection, { text: start })
      begun.catch(() => {})
      let last: Promise<unknown> = begun
      const result = await run(async <Row>(text: string, values?: readonly unknown[], name?: string) => {
        const statement = statementOf(text, values, name)
        // With `beforeStatement`, statements are sent one at a time.
        const asked = beforeStatement ? last.then(() => ask(connection, statement)) : ask(connection, statement)
        last = asked
        const { rows } = await asked
        return rows as Row[]
      })
      await begun
      await end(connection)
      return result
    })

  const connection = await open()
  const reason = allowAsyncReplicas ? null : asynchronousReason(connection.settings)
  if (reason !== null) {
    await connection.close()
    throw new ConfigurationError(reason)
  }
  put(connection)

  return {
    async query<Row>(text: string, values?: readonly unknown[], name?: string) {
      const connection = await take(false)
      try {
        const { rows } = await ask(connection, statementOf(text, values, name))
        return rows as Row[]
      } catch (error) {
        throw isRefusal(error) ? error : unknownOutcome(error)
      } finally {
        put(connection)
      }
    },
    transact: (run) => interactive(begin, commitOn, run),
    snapshot: (run) =>
      interactive('begin isolation level repeatable read read only', (on) => ask(on, { text: 'commit' }), run),
    batch: (statements) =>
      inTransaction(true, async (connection) => {
        if (beforeStatement) {
          await ask(connection, { text: begin })
          const rows: unknown[][] = []
          for (const statement of statements) rows.push((await ask(connection, statement)).rows)
          await commitOn(connection)
          return rows
        }
        const asked = [{ text: begin }, ...statements].map((statement) => ask(connection, statement))
        const [ended, ...answers] = await Promise.allSettled([commitOn(connection), ...asked])
        if (ended.status === 'fulfilled') return (await Promise.all(asked)).slice(1).map(({ rows }) => rows)
        const refused = answers.find((answer) => answer.status === 'rejected')
        throw isAborted(ended.reason) && refused ? refused.reason : ended.reason
      }),
    async close() {
      closing = true
      cancelPause()
      if (lent.size > 0 || waiting.length > 0) {
        await new Promise<void>((resolve) => {
          drained = resolve
          clock.after(limits.answer, resolve)
        })
      }
      await Promise.all(idle.splice(0).map((connection) => connection.close()))
      for (const connection of lent) connection.destroy()
    },
  }
}

function statementOf(text: string, values?: readonly unknown[], name?: string): Statement {
  return { text, ...(values && { values }), ...(name !== undefined && { name }) }
}
