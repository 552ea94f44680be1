/**
 * The quote rules in `GET /config`: deadlines in seconds, and the divisor of a series' cap for its minimum notional.
 */
export const quoteRules = {
  minQuoteLifetimeSeconds: 60,
  maxQuoteLifetimeSeconds: 86_400,
  minSecondsAfterClose: 60,
  dustDivisor: 100_000,
} as const
