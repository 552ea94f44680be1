import pg from 'pg'
import { ConfigurationError } from '../../ports/errors.ts'
import { type ServerSettings, selectSettings, unsupportedSetting } from './checkSettings.ts'
import { parsePostgresAddress } from './postgresAddress.ts'
import { describeFailure, locationOf } from './startFailure.ts'

/**
 * Opens a connection outside the pool, without timeouts, to the first server in an address list that is suitable for
 * writes.
 *
 * @throws {ConfigurationError} if there is none. The message is a single sentence that says what to change.
 */
export async function connectOnce(url: string): Promise<pg.Client> {
  let first: ConfigurationError | null = null
  for (const target of parsePostgresAddress(url)) {
    const client = new pg.Client({
      connectionString: target.url,
      connectionTimeoutMillis: 5_000,
      application_name: 'firmquote',
      keepAlive: true,
    })
    // Ignore connection errors, because the next statement reports the lost connection.
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<ServerSettings>(selectSettings)
      const reason = rows[0] ? unsupportedSetting(rows[0], 0) : 'It does not report its settings.'
      if (reason === null) return client
      first ??= new ConfigurationError(`The database ${locationOf(target.url)} cannot be used: ${reason}`)
    } catch (error) {
      first ??= describeFailure(error, target.url)
    }
    await client.end().catch(() => {})
  }
  throw first
}
