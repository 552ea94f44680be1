import { comparePrices } from '@firmquote/core'
import type { Offer } from './openNotional.ts'

/** Number of blocks for which a maker must offer a price before it counts. */
export const standingBlocks = 30n

/** A maker's offers since a block: `worst` is the worst of its best offers in each read since then. */
type Standing = { since: bigint; worst: Offer }

/** The makers' offers in one series, by lower-case address. */
export type StandingOffers = ReadonlyMap<string, Standing>

/**
 * Adds a read of a series' executable offers. An offer present for only some of the reads must not count, while a maker
 * that replaces its quotes must. So each maker's price is the worst it offered across the reads of at least
 * {@link standingBlocks} blocks. Pure.
 *
 * @returns the makers' offers so far, and those that have stood, best price first.
 */
export function advanceStanding(
  known: StandingOffers,
  { offers, block }: { offers: readonly Offer[]; block: bigint },
): { standing: StandingOffers; stood: Offer[] } {
  const standing = new Map<string, Standing>()
  const stood: Offer[] = []
  for (const offer of [...offers].sort(comparePrices)) {
    const maker = offer.maker.toLowerCase()
    // A maker's first offer is its best.
    if (standing.has(maker)) continue
    const before = known.get(maker)
    if (!before || block < before.since) {
      standing.set(maker, { since: block, worst: offer })
      continue
    }
    const worst = comparePrices(before.worst, offer) > 0 ? before.worst : offer
    if (block - before.since >= standingBlocks) {
      stood.push(worst)
      standing.set(maker, { since: block, worst: offer })
    } else standing.set(maker, { since: before.since, worst })
  }
  return { standing, stood: stood.sort(comparePrices) }
}
