import { BaseError } from '@firmquote/core'
import {
  ConfigurationError,
  CursorMovedError,
  OutcomeUnknownError,
  StorageUnavailableError,
  WrongDatabaseError,
} from '../../ports/errors.ts'
import { sqliteCode } from './sqliteFailure.ts'

/** An error as plain data, because errors lose their class and code when sent between threads. */
export type EncodedFailure = { name: string; message: string; cause: string | undefined; code: string | null }

const known = {
  ConfigurationError,
  CursorMovedError,
  OutcomeUnknownError,
  StorageUnavailableError,
  WrongDatabaseError,
}

/** Encodes an error. */
export function encodeFailure(error: unknown): EncodedFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), cause: undefined, code: null }
  const { name, cause } = error
  return {
    name,
    message: sentenceOf(error),
    cause: cause instanceof Error ? sentenceOf(cause) : undefined,
    code: sqliteCode(error),
  }
}

/**
 * Decodes an error. Restores the error's class if this package defines it, and the SQLite code if the error had one.
 */
export function decodeFailure({ name, message, cause, code }: EncodedFailure): Error {
  const options = cause === undefined ? {} : { cause: withCode(new Error(cause), code) }
  const Known = Object.hasOwn(known, name) ? known[name as keyof typeof known] : null
  return Known ? new Known(message, options) : withCode(new Error(message, options), code)
}

function withCode(error: Error, code: string | null): Error {
  return code === null ? error : Object.assign(error, { code })
}

function sentenceOf(error: Error): string {
  return error instanceof BaseError ? error.shortMessage : error.message
}
