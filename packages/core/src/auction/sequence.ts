/** Returns whether a number is a sequence number: a non-negative integer, where 0 precedes the first entry. */
export function isSequenceNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
