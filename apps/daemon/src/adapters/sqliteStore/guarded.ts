import { StorageUnavailableError } from '../../errors.ts'

/** Works with the database. @throws {StorageUnavailableError} for every failure. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new StorageUnavailableError({ cause })
  }
}
