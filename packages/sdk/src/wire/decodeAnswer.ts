import { BaseError } from '@firmquote/core'
import { type ClientErrorOptions, InvalidResponseError } from '../errors.ts'
import type { Shape } from './shape.ts'

/**
 * Decodes a peer's message.
 *
 * @param what The name of the message, for the error.
 * @throws {InvalidResponseError} if it is malformed.
 */
export function decodeAnswer<T>(shape: Shape<T>, value: unknown, what: string, facts: ClientErrorOptions = {}): T {
  try {
    return shape(value, '')
  } catch (cause) {
    const why = cause instanceof BaseError ? cause.shortMessage : ''
    throw new InvalidResponseError(`${what} is malformed: ${why}`, { ...facts, cause })
  }
}

/** @throws {InvalidResponseError} if it is not JSON. */
export function parseAnswer(text: string, what: string, facts: ClientErrorOptions = {}): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidResponseError(`${what} is not JSON.`, facts)
  }
}
