// The pool's floating rate and a fixed spread, whatever the term and the size. Everything else (pools, sizes, floor, bounds, deadline)
// is the policy's.
//
//   SPREAD_BPS=35 firmquote-daemon --pricer spread.mjs --config ...
//
// SPREAD_BPS is in hundredths of a percent of simple APR; 25 unless given.
import { quoteAt, wad } from '@firmquote/daemon'

const bps = wad / 10_000n
const year = 31_536_000n
const spread = BigInt(process.env.SPREAD_BPS ?? 25) * bps

/** @type {import('@firmquote/daemon').Pricer} */
export function priceRfq(input) {
  return quoteAt(input, () => input.floatingRatePerSec * year + spread)
}
