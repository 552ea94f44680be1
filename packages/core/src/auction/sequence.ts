/** Checks that a number is a sequence number: a whole number, where 0 stands before the first entry. */
export function isSequenceNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
