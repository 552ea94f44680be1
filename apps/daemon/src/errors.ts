import { BaseError, type BaseErrorOptions } from '@firmquote/core'

export { ConfigurationError } from '@firmquote/node-runtime/configurationError'

/** Thrown if the database fails. Code `STORAGE_UNAVAILABLE`. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'

  constructor(options: BaseErrorOptions = {}) {
    super('STORAGE_UNAVAILABLE', "The daemon's database failed; nothing was reserved.", options)
  }
}

/** Thrown if the maker's hook fails. Code `HOOK_FAILED`. */
export class HookError extends BaseError {
  override name = 'HookError'

  /** @param details the hook's output, for the log only. */
  constructor(message: string, options: BaseErrorOptions = {}) {
    super('HOOK_FAILED', message, options)
  }
}

/** Thrown if a transaction was not sent, was reverted or has not been mined yet. Code `TRANSACTION_FAILED`. */
export class TransactionError extends BaseError {
  override name = 'TransactionError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('TRANSACTION_FAILED', message, options)
  }
}
