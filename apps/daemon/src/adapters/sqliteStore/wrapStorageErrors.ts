import { StorageUnavailableError } from '../../errors.ts'

/**
 * Wraps database errors.
 *
 * @throws {StorageUnavailableError} for every failure.
 */
export async function wrapStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new StorageUnavailableError({ cause })
  }
}
