// Why: docs/decisions/0026-unknown-commits.md
import { BaseError, type BaseErrorOptions, ChainUnavailableError } from '@firmquote/core'
import { ConfigurationError } from '@firmquote/node-runtime/configurationError'

export { ConfigurationError }

/** The store failed to read or write, and no data was stored. Code `STORAGE_UNAVAILABLE`. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('STORAGE_UNAVAILABLE', message, options)
  }
}

/**
 * The store failed during a write, which may or may not have reached the disk. Every write is idempotent, so retrying
 * it reveals its outcome. Code `STORAGE_UNAVAILABLE`.
 */
export class OutcomeUnknownError extends StorageUnavailableError {
  override name = 'OutcomeUnknownError'
}

/** Another instance has moved the sync cursor, so the write had no effect. Code `STORAGE_UNAVAILABLE`. */
export class CursorMovedError extends StorageUnavailableError {
  override name = 'CursorMovedError'
}

/** The service's nodes have different finalized blocks, so none of them is believed. Code `CHAIN_DISAGREES`. */
export class ChainDisagreesError extends ChainUnavailableError {
  override name = 'ChainDisagreesError'
  override readonly code = 'CHAIN_DISAGREES'

  constructor() {
    super('The nodes have different finalized blocks.')
  }
}

/** The request was refused because the queue is full. Code `OVERLOADED`. */
export class OverloadedError extends BaseError {
  override name = 'OverloadedError'

  constructor() {
    super('OVERLOADED', 'The service is at its limit; retry in a moment.')
  }
}

/** No node answered at startup. Code `BAD_CONFIGURATION`. */
export class NodeUnreachableError extends ConfigurationError {
  override name = 'NodeUnreachableError'
}

/** The database belongs to a different chain or market. Code `BAD_CONFIGURATION`. */
export class WrongDatabaseError extends ConfigurationError {
  override name = 'WrongDatabaseError'
}
