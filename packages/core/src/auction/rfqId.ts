// Why: docs/decisions/0021-two-auction-ids.md
import { InvalidInputError } from '../errors.ts'

/**
 * The secret id of an auction: 32 lower-case hex digits. It opens the auction's result to anyone who has it, so only the
 * borrower gets it.
 */
export type RfqId = string & { readonly __id: 'RfqId' }

/**
 * The public id of an auction: 32 lower-case hex digits. Backers and the public see it; the secret {@link RfqId} cannot be
 * derived from it.
 */
export type PublicRfqId = string & { readonly __id: 'PublicRfqId' }

/** A caller without types may pass anything; a pattern alone would take an array of one text. */
function isIdText(text: unknown): boolean {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text)
}

/**
 * Parses the secret id of an auction.
 *
 * @returns null when the text is not 32 lower-case hex digits.
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
 * Parses the public id of an auction.
 *
 * @returns null when the text is not 32 lower-case hex digits.
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
 * Makes a text the secret id of an auction.
 *
 * @throws {InvalidInputError} when it is not 32 lower-case hex digits; the error does not show it.
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
 * Makes a text the public id of an auction.
 *
 * @throws {InvalidInputError} when it is not 32 lower-case hex digits.
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
