// Why: docs/decisions/0043-reconnect-within-an-auction.md
import { InvalidInputError } from '@firmquote/core'

/**
 * Refuses options under names that programs often give them by mistake: each would be ignored without a word.
 *
 * @param misnamed the right name by each wrong one.
 * @throws {InvalidInputError} with the right name.
 */
export function rejectMisnamedOptions(given: object, misnamed: Readonly<Record<string, string>>): void {
  for (const [path, name] of Object.entries(misnamed)) {
    if ((given as Record<string, unknown>)[path] === undefined) continue
    throw new InvalidInputError(`is not known; the name is ${name}.`, { path })
  }
}
