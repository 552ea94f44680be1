import { decode, type Shape } from '@firmquote/core/wire'
import { UsageError } from './errors.ts'

/**
 * Decodes typed JSON by its shape.
 *
 * @param what begins the sentence: `The quote`.
 * @throws {UsageError} that names every mistake; no value is repeated, one might be a key.
 */
export function decodeInput<T>(shape: Shape<T>, value: unknown, what: string): T {
  const decoded = decode(shape, value)
  if (decoded.ok) return decoded.value
  const mistakes = decoded.issues.map(({ path, message }) => (path ? `${path} ${message}` : message))
  throw new UsageError(`${what} does not fit: ${mistakes.join('; ')}.`)
}
