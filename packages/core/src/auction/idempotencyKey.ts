/** A random key has fewer different characters less than once in 10^12. */
const leastDifferent = 6

/**
 * Parses an `Idempotency-Key`: 22 to 128 characters of `A-Z a-z 0-9 - _`, enough for 128 random bits in base64url, hex or
 * as a UUID. Who has the key of a request can read its auction, so a key that was counted or written by hand is refused as
 * far as that shows.
 *
 * @returns null when the text is none.
 */
export function parseIdempotencyKey(text: string): string | null {
  return /^[\w-]{22,128}$/.test(text) && new Set(text).size >= leastDifferent ? text : null
}
