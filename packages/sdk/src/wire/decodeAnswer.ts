import { BaseError } from '@firmquote/core'
import { type ClientErrorOptions, InvalidResponseError } from '../errors.ts'
import type { Shape } from './shape.ts'

/**
 * Decodes what the other side has sent.
 *
 * @param what names it in the error.
 * @throws {InvalidResponseError} when it does not fit.
 */
export function decodeAnswer<T>(shape: Shape<T>, value: unknown, what: string, facts: ClientErrorOptions = {}): T {
  try {
    return shape(value, '')
  } catch (cause) {
    const why = cause instanceof BaseError ? cause.shortMessage : ''
    throw new InvalidResponseError(`${what} does not fit: ${why}`, { ...facts, cause })
  }
}

/** @throws {InvalidResponseError} when it is not JSON. */
export function parseAnswer(text: string, what: string, facts: ClientErrorOptions = {}): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidResponseError(`${what} is not JSON.`, facts)
  }
}
