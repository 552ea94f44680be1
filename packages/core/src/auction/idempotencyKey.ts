/** Minimum number of distinct characters in a key. The probability that a random key has fewer is below 10^-12. */
const minDifferent = 6

/**
 * Parses an `Idempotency-Key`: 22 to 128 characters of `A-Z a-z 0-9 - _`, enough for 128 random bits in base64url or
 * hex, or as a UUID. The key grants access to the request's auction, so keys that look like counters or words are
 * rejected.
 *
 * @returns null if the text is not an acceptable key.
 */
export function parseIdempotencyKey(text: string): string | null {
  return /^[\w-]{22,128}$/.test(text) && new Set(text).size >= minDifferent ? text : null
}
