// Why: docs/decisions/0011-argument-validation.md
import { BaseError, InvalidInputError } from '../errors.ts'

/**
 * Runs `work`, which reads an untrusted argument. Any error other than a `BaseError` means that the argument is
 * malformed: for example, it is null, or a getter or proxy throws. The original error is dropped, because it may
 * contain the argument.
 *
 * @throws {InvalidInputError} with `path`, or any `BaseError` that `work` throws.
 */
export function guardInput<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof BaseError) throw error
    throw new InvalidInputError('is malformed or cannot be read.', { path })
  }
}
