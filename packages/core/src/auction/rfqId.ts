// Why: docs/decisions/0021-two-auction-ids.md
import { InvalidInputError } from '../errors.ts'

/**
 * An auction's secret id: 32 lower-case hex digits. Anyone who has this id can read the auction's result, so the
 * service sends it only to the borrower.
 */
export type RfqId = string & { readonly __id: 'RfqId' }

/**
 * An auction's public id: 32 lower-case hex digits. Backers and the public can see this id. The secret {@link RfqId}
 * cannot be derived from it.
 */
export type PublicRfqId = string & { readonly __id: 'PublicRfqId' }

/** Checks the type as well, because the pattern alone would accept an array containing one string. */
function isIdText(text: unknown): boolean {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text)
}

/**
 * Parses an auction's secret id.
 *
 * @param text 32 lower-case hex digits.
 * @returns null if the text is not 32 lower-case hex digits.
 * @example
 * ```ts
 * parseRfqId('0123456789abcdef0123456789abcdef') // '0123456789abcdef0123456789abcdef'
 * parseRfqId('0x0123') // null
 * ```
 */
export function parseRfqId(text: string): RfqId | null {
  return isIdText(text) ? (text as RfqId) : null
}

/**
 * Parses an auction's public id.
 *
 * @param text 32 lower-case hex digits.
 * @returns null if the text is not 32 lower-case hex digits.
 * @example
 * ```ts
 * parsePublicRfqId('fedcba9876543210fedcba9876543210') // 'fedcba9876543210fedcba9876543210'
 * parsePublicRfqId('') // null
 * ```
 */
export function parsePublicRfqId(text: string): PublicRfqId | null {
  return isIdText(text) ? (text as PublicRfqId) : null
}

/**
 * Converts a string to an auction's secret id.
 *
 * @param text 32 lower-case hex digits.
 * @throws {InvalidInputError} if it is not 32 lower-case hex digits. The error does not contain the text.
 * @example
 * ```ts
 * const stored: string = result.rfqId
 * const { quotes } = await client.getRfq(toRfqId(stored))
 * ```
 */
export function toRfqId(text: string): RfqId {
  return parseRfqId(text) ?? refuseId()
}

/**
 * Converts a string to an auction's public id.
 *
 * @param text 32 lower-case hex digits.
 * @throws {InvalidInputError} if it is not 32 lower-case hex digits.
 * @example
 * ```ts
 * socket.decline(toPublicRfqId('fedcba9876543210fedcba9876543210'), 'no inventory') // true
 * ```
 */
export function toPublicRfqId(text: string): PublicRfqId {
  return parsePublicRfqId(text) ?? refuseId()
}

function refuseId(): never {
  throw new InvalidInputError('must be 32 lower-case hex digits.', { path: 'rfqId' })
}
