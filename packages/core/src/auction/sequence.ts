/** Whether a number can be a place in a numbered sequence: a whole number, 0 for the place before the first. */
export function isSequenceNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
