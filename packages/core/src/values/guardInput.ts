// Why: docs/decisions/0011-argument-validation.md
import { BaseError, InvalidInputError } from '../errors.ts'

/**
 * Runs what takes an untrusted argument apart. Whatever it throws that is not ours means that the argument is malformed:
 * null in place of an object, a getter or a proxy that throws. That error is dropped, since it may repeat the argument.
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
