import pg from 'pg'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'

/**
 * A database error that is safe to log. Errors from `pg` include the failing row, which may contain a signature. `code`
 * is an SQLSTATE or a system error code.
 */
class PostgresFailure extends Error {
  override name = 'PostgresFailure'
  readonly code: string
  /**
   * Whether the server reported the error. The connection is then still usable, and the statement changed nothing.
   */
  readonly isRefusal: boolean

  constructor(cause: unknown) {
    // A socket error may come from another realm, where `instanceof Error` fails.
    const { message = '', code = '' } = cause as { message?: string; code?: string }
    super(message || code)
    this.code = code
    this.isRefusal = cause instanceof pg.DatabaseError
  }
}

/** Returns the database error that caused an error, or null. */
function failureOf(error: unknown): PostgresFailure | null {
  return error instanceof StorageUnavailableError && error.cause instanceof PostgresFailure ? error.cause : null
}

/** Whether the server rejected a statement. */
export function isRefusal(error: unknown): boolean {
  return failureOf(error)?.isRefusal === true
}

/**
 * Whether a transaction conflicted with another one and may be retried. Includes 23503: a quote may be pruned while an
 * auction is accepting it, and either transaction may fail.
 */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(failureOf(error)?.code ?? '')
}

/** Whether a statement was skipped because an earlier one in the same transaction failed. */
export function isAborted(error: unknown): boolean {
  return failureOf(error)?.code === '25P02'
}

/** Whether the error was caused by the values, size or references of the rows written. */
export function isRowError(error: unknown): boolean {
  return /^(2[123]|54)/.test(failureOf(error)?.code ?? '')
}

/** The error for a statement that changed nothing. */
export function unavailable(thrown: unknown): StorageUnavailableError {
  const cause = new PostgresFailure(thrown)
  const message = cause.isRefusal ? 'The database rejected a statement.' : 'The database is not responding.'
  return new StorageUnavailableError(message, { cause })
}

/** The error for a statement that may have taken effect. */
export function unknownOutcome(error: unknown): OutcomeUnknownError {
  const cause = failureOf(error) ?? undefined
  return new OutcomeUnknownError('The outcome of the write is unknown.', cause && { cause })
}
