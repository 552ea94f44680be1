import pg from 'pg'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'

/**
 * A failure of the database without what may not be logged: `pg` gives the row that a statement has failed on, which may hold
 * a signature. `code` is an SQLSTATE or one of the operating system.
 */
class PostgresFailure extends Error {
  override name = 'PostgresFailure'
  readonly code: string
  /** Whether the server itself has said so: then the connection is as good as before, and the statement has done nothing. */
  readonly isRefusal: boolean

  constructor(cause: unknown) {
    // An error of a socket may be of another realm.
    const { message = '', code = '' } = cause as { message?: string; code?: string }
    super(message || code)
    this.code = code
    this.isRefusal = cause instanceof pg.DatabaseError
  }
}

/** What the database has failed with; null for any other failure. */
function failureOf(error: unknown): PostgresFailure | null {
  return error instanceof StorageUnavailableError && error.cause instanceof PostgresFailure ? error.cause : null
}

/** Whether the server itself has said that a statement failed. */
export function isRefusal(error: unknown): boolean {
  return failureOf(error)?.isRefusal === true
}

/**
 * Whether the same transaction may succeed when it is repeated: it met another one. 23503 is one of these: a quote that nobody held
 * was forgotten while an auction accepted it, which either of the two finds out last.
 */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(failureOf(error)?.code ?? '')
}

/** Whether a statement did not run since one before it had failed. */
export function isAborted(error: unknown): boolean {
  return failureOf(error)?.code === '25P02'
}

/** Whether it is the rows of a write that are at fault, not the server: their values, their size, or what they refer to. */
export function isRowError(error: unknown): boolean {
  return /^(2[123]|54)/.test(failureOf(error)?.code ?? '')
}

/** What a statement has failed with, as long as it has changed nothing. */
export function unavailable(thrown: unknown): StorageUnavailableError {
  const cause = new PostgresFailure(thrown)
  const message = cause.isRefusal ? 'The database has refused a statement.' : 'The database does not answer.'
  return new StorageUnavailableError(message, { cause })
}

/** The same failure of something that may have been done. */
export function unknownOutcome(error: unknown): OutcomeUnknownError {
  const cause = failureOf(error) ?? undefined
  return new OutcomeUnknownError('Whether the database has done it is not known.', cause && { cause })
}
