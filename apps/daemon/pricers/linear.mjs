// A rate that grows with the term: the pool's floating rate, 10 bps, and 1 bps for every 4 days that are left. Everything else (pools,
// sizes, floor, bounds, deadline) is the policy's.
//
//   firmquote-daemon --pricer pricers/linear.mjs --config ...
import { quoteAt, wad } from '@firmquote/daemon'

const bps = wad / 10_000n
const year = 31_536_000n
const day = 86_400n

const base = 10n * bps
const perDay = bps / 4n

export function priceRfq(input) {
  const left = BigInt(Math.max(0, input.rfq.expiry - input.now))
  return quoteAt(input, () => input.floatingRatePerSec * year + base + (perDay * left) / day)
}
