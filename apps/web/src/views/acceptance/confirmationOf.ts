/** The number of the open wallet request, from 1, and the number of requests that one press sends. */
export type Confirmation = { number: number; count: number }

/**
 * Returns the number of the open wallet request, or null if there is only one request. Pure.
 *
 * @param planned The number of requests when the button was pressed.
 * @param left The number of requests that are left, including the open one. A replaced offer may add some.
 */
export function confirmationOf(planned: number, left: number): Confirmation | null {
  const count = Math.max(planned, left)
  return count > 1 && left > 0 ? { number: count - left + 1, count } : null
}
