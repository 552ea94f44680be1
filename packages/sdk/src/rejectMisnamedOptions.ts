// Why: docs/decisions/0043-reconnect-within-an-auction.md
import { InvalidInputError } from '@firmquote/core'

/**
 * Rejects common wrong names of options, which would otherwise be silently ignored.
 *
 * @param misnamed The right name by each wrong name.
 * @throws {InvalidInputError} with the right name.
 */
export function rejectMisnamedOptions(given: object, misnamed: Readonly<Record<string, string>>): void {
  for (const [path, name] of Object.entries(misnamed)) {
    if ((given as Record<string, unknown>)[path] === undefined) continue
    throw new InvalidInputError(`is unknown. Use ${name}.`, { path })
  }
}
