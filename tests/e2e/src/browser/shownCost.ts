/**
 * Formats a cost in a six-decimal token as the page displays it: rounded up to hundredths, without a fraction for whole
 * tokens.
 */
export function shownCost(raw: bigint): string {
  const hundredths = (raw + 9_999n) / 10_000n
  const whole = (hundredths / 100n).toLocaleString('en-US')
  return hundredths % 100n === 0n ? whole : `${whole}.${(hundredths % 100n).toString().padStart(2, '0')}`
}

/** Formats an estimate in a six-decimal token as the page displays it: with three significant digits. */
export function shownAbout(raw: bigint): string {
  const step = 10n ** BigInt(Math.max(0, raw.toString().length - 3))
  const hundredths = (((raw + step / 2n) / step) * step) / 10_000n
  const whole = (hundredths / 100n).toLocaleString('en-US')
  return hundredths % 100n === 0n ? whole : `${whole}.${(hundredths % 100n).toString().padStart(2, '0')}`
}
