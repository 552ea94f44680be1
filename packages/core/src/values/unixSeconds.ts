/** Returns whether a number is valid as Unix seconds: a positive integer. */
export function isUnixSeconds(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
