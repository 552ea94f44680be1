import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** The daemon cannot start as it is set up; the message says what to change. Code `BAD_CONFIGURATION`. */
export class ConfigurationError extends BaseError {
  override name = 'ConfigurationError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('BAD_CONFIGURATION', message, options)
  }
}

/** The database did not keep or find something. Code `STORAGE_UNAVAILABLE`. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'

  constructor(options: BaseErrorOptions = {}) {
    super('STORAGE_UNAVAILABLE', "The daemon's database does not answer; nothing was promised.", options)
  }
}

/** A transaction was not sent, was reverted, or is not part of a block yet. Code `TRANSACTION_FAILED`. */
export class TransactionError extends BaseError {
  override name = 'TransactionError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('TRANSACTION_FAILED', message, options)
  }
}
