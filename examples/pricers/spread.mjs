// Quotes the pool's floating rate plus a fixed spread, for all terms and sizes. The policy determines everything else
// (pools, sizes, floor, bounds, deadline).
//
//   SPREAD_BPS=35 firmquote-daemon --pricer spread.mjs --config ...
//
// SPREAD_BPS is in basis points of simple APR. Default: 25.
import { quoteAt, wad } from '@firmquote/daemon'

const bps = wad / 10_000n
const year = 31_536_000n
const spread = BigInt(process.env.SPREAD_BPS ?? 25) * bps

/** @type {import('@firmquote/daemon').Pricer} */
export function priceRfq(input) {
  return quoteAt(input, () => input.floatingRatePerSec * year + spread)
}
