import { BaseError, type BaseErrorOptions } from '@firmquote/core'

export { ConfigurationError } from '@firmquote/program/configurationError'

/** The database failed to read or write. Code `STORAGE_UNAVAILABLE`. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'

  constructor(options: BaseErrorOptions = {}) {
    super('STORAGE_UNAVAILABLE', "The daemon's database does not answer; nothing was reserved.", options)
  }
}

/** A transaction was not sent, was reverted, or is not part of a block yet. Code `TRANSACTION_FAILED`. */
export class TransactionError extends BaseError {
  override name = 'TransactionError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('TRANSACTION_FAILED', message, options)
  }
}
