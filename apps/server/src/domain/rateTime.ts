/**
 * The Unix second at which the rate of a quote that arrived at `receivedAt` (Unix milliseconds) is measured.
 *
 * The chain determines whether the series has ended. The remaining time is a divisor, so it must be at least one second
 * even if this clock is fast.
 */
export function rateTime(receivedAt: number, expiry: number): number {
  return Math.min(Math.floor(receivedAt / 1000), expiry - 1)
}
