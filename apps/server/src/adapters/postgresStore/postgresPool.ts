import pg from 'pg'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'

/** Runs one statement and gives its rows. */
export type AskPostgres = <Row>(text: string, values?: readonly unknown[], name?: string) => Promise<Row[]>

/** Connections to the database. */
export type PostgresPool = {
  /**
   * Runs one statement by itself, in READ COMMITTED.
   *
   * @throws {StorageUnavailableError} when it was refused or could not be asked.
   * @throws {OutcomeUnknownError} when no answer has come: a statement that changes something may have done it.
   */
  query: AskPostgres
  close(): Promise<void>
}

const int8 = 20

/** Connects to a database. */
export async function createPostgresPool({ url, size = 4 }: { url: string; size?: number }): Promise<PostgresPool> {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
    types: { getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  pool.on('error', () => {})
  return {
    async query<Row>(text: string, values?: readonly unknown[], name?: string) {
      try {
        const { rows } = await pool.query({ text, ...(values && { values: [...values] }), ...(name && { name }) })
        return rows as Row[]
      } catch (cause) {
        const message = 'The database has not answered.'
        if (cause instanceof pg.DatabaseError) throw new StorageUnavailableError('The database refused.', { cause })
        throw new OutcomeUnknownError(message, cause instanceof Error ? { cause } : {})
      }
    },
    close: () => pool.end(),
  }
}
