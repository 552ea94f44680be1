/** Checks that a number is a positive whole number of Unix seconds. */
export function isUnixSeconds(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
