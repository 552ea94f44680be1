/** Whether a number is a whole number of Unix seconds above zero. */
export function isUnixSeconds(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
