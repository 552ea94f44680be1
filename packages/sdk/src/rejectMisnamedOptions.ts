// Why: docs/decisions/0043-reconnect-within-an-auction.md
import { InvalidInputError } from './coreErrors.ts'

/** @throws {InvalidInputError} if an argument is neither an object nor omitted, because it would be ignored. */
export function checkObject(given: unknown, path: string, example: string): void {
  if (given === undefined || (typeof given === 'object' && !Array.isArray(given))) return
  throw new InvalidInputError(`must be an object, such as ${example}.`, { path, given })
}

/**
 * Rejects common misspellings of options instead of silently ignoring them.
 *
 * @param misnamed Maps each wrong name to the right one.
 * @throws {InvalidInputError} that states the right name.
 */
export function rejectMisnamedOptions(given: object, misnamed: Readonly<Record<string, string>>): void {
  for (const [path, name] of Object.entries(misnamed)) {
    if ((given as Record<string, unknown>)[path] === undefined) continue
    throw new InvalidInputError(`is unknown. Use ${name}.`, { path })
  }
}
