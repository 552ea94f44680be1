import { BaseError } from '@firmquote/core'
import { ConfigurationError, StorageUnavailableError, WrongDatabaseError } from '../../ports/errors.ts'

/** A failure as plain data: an error keeps neither its class nor its code between threads. */
export type EncodedFailure = { name: string; message: string; cause: unknown }

const known = { ConfigurationError, StorageUnavailableError, WrongDatabaseError }

/** Takes a failure apart. */
export function encodeFailure(error: unknown): EncodedFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), cause: undefined }
  const { name, cause } = error
  const message = error instanceof BaseError ? error.shortMessage : error.message
  return { name, message, cause: cause instanceof Error ? cause.message : undefined }
}

/** Puts a failure together again: of its class where it is one of ours. */
export function decodeFailure({ name, message, cause }: EncodedFailure): Error {
  const options = cause === undefined ? {} : { cause }
  const Known = Object.hasOwn(known, name) ? known[name as keyof typeof known] : null
  return Known ? new Known(message, options) : new Error(message, options)
}
