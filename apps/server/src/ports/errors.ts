// Why: docs/decisions/0026-unknown-commits.md
import { BaseError, type BaseErrorOptions } from '@firmquote/core'
import { ConfigurationError } from '@firmquote/node-runtime/configurationError'

export { ConfigurationError }

/** The store could not keep or find something; nothing was stored. Code `STORAGE_UNAVAILABLE`. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('STORAGE_UNAVAILABLE', message, options)
  }
}

/**
 * The write was under way when the store failed: it may be on disk or not. The same write again finds out, since every write
 * can be repeated. Code `STORAGE_UNAVAILABLE`.
 */
export class OutcomeUnknownError extends StorageUnavailableError {
  override name = 'OutcomeUnknownError'
}

/** Another instance has moved the cursor of the sync since it was read; nothing was changed. Code `STORAGE_UNAVAILABLE`. */
export class CursorMovedError extends StorageUnavailableError {
  override name = 'CursorMovedError'
}

/** Too much is waiting already; nothing has been done. Code `OVERLOADED`. */
export class OverloadedError extends BaseError {
  override name = 'OverloadedError'

  constructor() {
    super('OVERLOADED', 'The service is at its limit; ask again in a moment.')
  }
}

/** The database belongs to another chain or market. Code `BAD_CONFIGURATION`. */
export class WrongDatabaseError extends ConfigurationError {
  override name = 'WrongDatabaseError'
}
