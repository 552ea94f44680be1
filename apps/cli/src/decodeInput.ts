import { decode, type Shape } from '@firmquote/core/wire'
import { UsageError } from './errors.ts'

/**
 * Decodes JSON from the user.
 *
 * @param what subject of the error message, such as `The quote`.
 * @throws {UsageError} if the value is invalid. Lists every mistake, but no values, because one might be a key.
 */
export function decodeInput<T>(shape: Shape<T>, value: unknown, what: string): T {
  const decoded = decode(shape, value)
  if (decoded.ok) return decoded.value
  const mistakes = decoded.issues.map(({ path, message }) => (path ? `${path} ${message}` : message))
  throw new UsageError(`${what} is invalid: ${mistakes.join('; ')}.`)
}
