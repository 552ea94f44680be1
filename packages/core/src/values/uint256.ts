/** The largest value that 256 bits hold. */
export const maxUint256 = /* @__PURE__ */ (() => 2n ** 256n - 1n)()

const plainDecimal = /^(?:0|[1-9][0-9]{0,77})$/

/**
 * Parses a plain decimal uint256: no sign, no leading zero, no hex, no spaces. `BigInt()` alone would take `''` for 0 and
 * `'0x10'` for 16.
 *
 * @returns the value, or null when the text is anything else or does not fit in 256 bits.
 */
export function parseUint256(text: unknown): bigint | null {
  if (typeof text !== 'string' || !plainDecimal.test(text)) return null
  const value = BigInt(text)
  return value > maxUint256 ? null : value
}

/** The same for a uint256 above zero. */
export function parsePositiveUint256(text: unknown): bigint | null {
  return parseUint256(text) || null
}
