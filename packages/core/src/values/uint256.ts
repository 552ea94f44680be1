/** The largest uint256. */
export const maxUint256 = /* @__PURE__ */ (() => 2n ** 256n - 1n)()

const plainDecimal = /^(?:0|[1-9][0-9]{0,77})$/

/**
 * Parses a plain decimal uint256 without sign, leading zeros, hex or spaces. `BigInt()` alone would parse `''` as 0 and
 * `'0x10'` as 16.
 *
 * @returns The value, or null if the text is malformed or does not fit in 256 bits.
 */
export function parseUint256(text: unknown): bigint | null {
  if (typeof text !== 'string' || !plainDecimal.test(text)) return null
  const value = BigInt(text)
  return value > maxUint256 ? null : value
}

/** Like {@link parseUint256}, but for positive integers. */
export function parsePositiveUint256(text: unknown): bigint | null {
  return parseUint256(text) || null
}
