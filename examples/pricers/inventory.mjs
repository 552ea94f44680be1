// Adds up to 100 bps to the policy's rate, in proportion to the maker's inventory: its positions and quotes in the
// RFQ's series, including this quote. Declines if the limit is reached, or if the daemon has not loaded the maker's
// positions yet.
//
//   INVENTORY_LIMIT=500000 firmquote-daemon --pricer inventory.mjs --config ...
//
// INVENTORY_LIMIT is the maximum per series, in whole loan tokens. Default: 1,000,000.
import { priceRfq as byPolicy, quoteAt, wad } from '@firmquote/daemon'

const mostSkew = wad / 100n
const year = 31_536_000n

/** @type {import('@firmquote/daemon').Pricer} */
export function priceRfq(input) {
  const { rfq, exposure, decimals, now } = input
  if (exposure === null) return decline('EXPOSURE_UNKNOWN', 'The positions have not been read yet.')
  const limit = BigInt(process.env.INVENTORY_LIMIT ?? 1_000_000) * 10n ** BigInt(decimals)
  const held = exposure.find(({ seriesKey }) => seriesKey === rfq.seriesKey)
  const used = held ? held.open + held.quoted : 0n
  if (used >= limit) return decline('INVENTORY_FULL', `The series already has ${used} of ${limit}.`)

  // Quote at most the smallest of the remaining limit, the RFQ's amount and the available funds.
  const left = limit - used
  const affordable = input.affordable < left ? input.affordable : left
  const plain = byPolicy({ ...input, affordable, rfq: { ...rfq, maxVrtAmount: undefined } })
  if (plain.kind === 'decline') return plain
  const seconds = BigInt(rfq.expiry - now)
  const plainApr = (plain.vrtAmount * wad * year) / (plain.notional * seconds)
  return quoteAt({ ...input, affordable }, (notional) => plainApr + (mostSkew * (used + notional)) / limit)
}

/** @returns {import('@firmquote/daemon').Decline} */
function decline(code, reason) {
  return { kind: 'decline', code, reason }
}
