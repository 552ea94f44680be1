import { BaseError, type BaseErrorOptions } from '@firmquote/core'

export { ConfigurationError } from '@firmquote/node-runtime/configurationError'

/** The database failed to read or write. Code `STORAGE_UNAVAILABLE`. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'

  constructor(options: BaseErrorOptions = {}) {
    super('STORAGE_UNAVAILABLE', "The daemon's database does not answer; nothing was reserved.", options)
  }
}

/** The maker's own hook did not do what it was called for. Code `HOOK_FAILED`. */
export class HookError extends BaseError {
  override name = 'HookError'

  /** @param details what the hook has said of it, for the log alone. */
  constructor(message: string, options: BaseErrorOptions = {}) {
    super('HOOK_FAILED', message, options)
  }
}

/** A transaction was not sent, was reverted, or is not part of a block yet. Code `TRANSACTION_FAILED`. */
export class TransactionError extends BaseError {
  override name = 'TransactionError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('TRANSACTION_FAILED', message, options)
  }
}
