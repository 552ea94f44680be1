/** Returns whether a number is a positive integer, as Unix seconds must be. */
export function isUnixSeconds(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
