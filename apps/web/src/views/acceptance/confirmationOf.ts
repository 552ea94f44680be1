/** A wallet request among those of a press: `number` counts from 1. */
export type Confirmation = { number: number; count: number }

/**
 * Which of several consecutive wallet requests is open. Returns null if there is only one. Pure.
 *
 * @param planned The number of requests when the button was pressed.
 * @param left The number of requests that are left, including the open one. A replaced offer may add some.
 */
export function confirmationOf(planned: number, left: number): Confirmation | null {
  const count = Math.max(planned, left)
  return count > 1 && left > 0 ? { number: count - left + 1, count } : null
}
