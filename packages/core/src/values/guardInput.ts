// Why: docs/decisions/0011-argument-validation.md
import { BaseError, InvalidInputError } from '../errors.ts'

/**
 * Runs `work`, which reads an untrusted argument. An error that is not Firmquote's means that the argument is
 * malformed: null instead of an object, or a getter or proxy that throws. The original error is dropped, because it may
 * repeat the argument.
 *
 * @throws {InvalidInputError} with `path`, or the `BaseError` that `work` throws.
 */
export function guardInput<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof BaseError) throw error
    throw new InvalidInputError('is malformed or cannot be read.', { path })
  }
}
