import { BaseError, type BaseErrorOptions } from '@firmquote/core'

export { ConfigurationError } from '@firmquote/node-runtime/configurationError'

/** A failure of the database. Code `STORAGE_UNAVAILABLE`. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'

  constructor(options: BaseErrorOptions = {}) {
    super('STORAGE_UNAVAILABLE', "The daemon's database failed; nothing was reserved.", options)
  }
}

/** A failure of the maker's hook. Code `HOOK_FAILED`. */
export class HookError extends BaseError {
  override name = 'HookError'

  /** @param details output of the hook, for the log only. */
  constructor(message: string, options: BaseErrorOptions = {}) {
    super('HOOK_FAILED', message, options)
  }
}

/** A transaction that was not sent, was reverted, or is not mined yet. Code `TRANSACTION_FAILED`. */
export class TransactionError extends BaseError {
  override name = 'TransactionError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('TRANSACTION_FAILED', message, options)
  }
}
