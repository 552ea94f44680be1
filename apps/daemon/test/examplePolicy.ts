import type { Policy } from '../src/domain/policy.ts'

const bp = 10n ** 14n
const token = 10n ** 18n

/** A policy for tests. The spread is 20 bps at 30 days and 50 bps at 90 days, plus 10 bps from 100,000 tokens. */
export const examplePolicy: Policy = {
  pools: null,
  notional: { min: 100n * token, max: 1_000_000n * token },
  termSpread: [
    { days: 30, apr: 20n * bp },
    { days: 90, apr: 50n * bp },
  ],
  sizeSpread: [{ from: 100_000n * token, apr: 10n * bp }],
  tick: 5n * bp,
  floor: 100n * bp,
  bounds: { min: 0n, max: 5_000n * bp },
  lifetimeSeconds: 60,
  shares: { unverified: 100, taker: 100 },
}
