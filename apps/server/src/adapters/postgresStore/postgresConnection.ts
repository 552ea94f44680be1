import type { Clock } from '@firmquote/core'
import pg from 'pg'
import { afterPendingReads } from '../../scheduling/afterPendingReads.ts'
import { limits, prepareSession, type ServerSettings, selectSettings } from './checkSettings.ts'
import type { PostgresTarget } from './postgresAddress.ts'

/** A statement and its values; one with a name is prepared once on each connection. */
export type Statement = { text: string; values?: readonly unknown[]; name?: string }

/** What a statement has come to. `command` is its tag: `COMMIT` may be answered with `ROLLBACK`. */
export type Answer = { rows: unknown[]; command: string }

/** One connection. What is asked before an answer has come travels behind it, without a wait. */
export type PostgresConnection = {
  settings: ServerSettings
  /** A text may have several statements if it has no values: the answer is that of the last one. */
  ask(statement: Statement): Promise<Answer>
  /** The SQLSTATEs of the warnings since the last call. */
  takeWarnings(): string[]
  isOpen(): boolean
  /** Ends it in order. */
  close(): Promise<void>
  /** Ends it at once: what is under way fails. */
  destroy(): void
}

/** How a connection is opened. */
export type ConnectionOptions = {
  clock: Clock
  /** Told once that it is gone, and whether that is since it has not answered in time. */
  onGone(gone: { timedOut: boolean }): void
}

const int8 = 20

/** Times and counts fit a number; amounts are bytes. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)),
}

/**
 * Opens a connection, prepares its session and reads what the server says of itself. Its caller judges that.
 *
 * @throws {Error} of `pg`, when it cannot be opened in time.
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
      // Each answer gives the next one its full time.
      if (asked > 0 && isOpen) cancelLimit = afterPendingReads(clock, limits.answer, giveUp)
    }
  }

  try {
    await client.connect()
    const [read] = await Promise.all([ask({ text: selectSettings }), ask({ text: prepareSession })])
    const [settings] = read.rows as ServerSettings[]
    if (!settings) throw new TypeError('The settings of the server are one row.')
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

/** The socket of a client, which the types of `pg` leave out. */
function streamOf(client: pg.Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
}
