import type { Clock } from '@firmquote/core/utils'
import pg from 'pg'
import { afterPendingReads } from '../../scheduling/eventLoop.ts'
import { limits, prepareSession, type ServerSettings, selectSettings } from './checkSettings.ts'
import type { PostgresTarget } from './postgresAddress.ts'

/** A statement and its values. A named statement is prepared only once per connection. */
export type Statement = { text: string; values?: readonly unknown[]; name?: string }

/** A statement's result. `command` is the statement's command tag, which may be `ROLLBACK` for a `COMMIT`. */
export type Answer = { rows: unknown[]; command: string }

/** A connection that pipelines its statements. */
export type PostgresConnection = {
  settings: ServerSettings
  /**
   * Sends a statement. Without values, the text may contain several statements; the last one's result is returned.
   */
  ask(statement: Statement): Promise<Answer>
  /** Returns and clears the SQLSTATEs of received warnings. */
  takeWarnings(): string[]
  isOpen(): boolean
  /** Closes the connection gracefully. */
  close(): Promise<void>
  /** Closes the connection immediately. Pending statements fail. */
  destroy(): void
}

/** Options of {@link openConnection}. */
export type ConnectionOptions = {
  clock: Clock
  /** Called once when the connection ends. `timedOut` indicates whether a response timed out. */
  onGone(gone: { timedOut: boolean }): void
}

const int8 = 20

/** Parses `int8` as a number, because times and counts fit, and amounts are stored as bytes. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)),
}

/**
 * Opens a connection, sets up its session and reads the server's settings, which the caller must check.
 *
 * @throws {Error} from `pg` if the connection fails or times out.
 */
export async function openConnection(
  target: PostgresTarget,
  { clock, onGone }: ConnectionOptions,
): Promise<PostgresConnection> {
  const client = new pg.Client({
    connectionString: target.url,
    connectionTimeoutMillis: limits.connect,
    application_name: 'firmquote',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types,
  } as pg.ClientConfig)
  let isOpen = true
  let timedOut = false
  let isConnected = false
  let warnings: string[] = []
  let asked = 0
  let cancelLimit = () => {}

  const gone = () => {
    if (!isOpen) return
    isOpen = false
    cancelLimit()
    if (isConnected) onGone({ timedOut })
  }
  const destroy = () => {
    gone()
    streamOf(client).destroy()
  }
  client.on('error', gone)
  client.on('end', gone)
  client.on('notice', ({ code = '00000' }) => {
    if (code !== '00000') warnings.push(code)
  })

  const giveUp = () => {
    timedOut = true
    destroy()
  }
  const ask = async ({ text, values, name }: Statement): Promise<Answer> => {
    asked += 1
    if (asked === 1) cancelLimit = afterPendingReads(clock, limits.answer, giveUp)
    try {
      const given = { text, ...(values && { values: [...values] }), ...(name !== undefined && { name }) }
      const result = (await client.query(given)) as pg.QueryResult | pg.QueryResult[]
      const last = Array.isArray(result) ? result.at(-1) : result
      return { rows: last?.rows ?? [], command: last?.command ?? '' }
    } finally {
      asked -= 1
      cancelLimit()
      // Each response restarts the timeout for the next one.
      if (asked > 0 && isOpen) cancelLimit = afterPendingReads(clock, limits.answer, giveUp)
    }
  }

  try {
    await client.connect()
    const [read] = await Promise.all([ask({ text: selectSettings }), ask({ text: prepareSession })])
    const [settings] = read.rows as ServerSettings[]
    if (!settings) throw new TypeError('The server did not return its settings.')
    isConnected = true
    return {
      settings,
      ask,
      takeWarnings() {
        const taken = warnings
        warnings = []
        return taken
      },
      isOpen: () => isOpen,
      async close() {
        isConnected = false
        await client.end()
      },
      destroy,
    }
  } catch (error) {
    destroy()
    throw error
  }
}

/** The client's socket, which `pg`'s types omit. */
function streamOf(client: pg.Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
}
