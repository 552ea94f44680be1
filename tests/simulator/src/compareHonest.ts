import { auctionOf, takerOf } from './borrowers.ts'
import type { Oracle } from './oracle.ts'

/** The result of a verified borrower's auction. `quotes` are those of honest makers, as maker and price. */
type Honest = {
  verified: boolean
  refusals: readonly string[]
  quotes: readonly string[]
  best: { notional: bigint; cost: bigint }
}

/** The results of a history's verified borrowers, by auction. */
export type HonestOutcomes = ReadonlyMap<number, Honest>

/** Reads the outcomes at the end of a history. */
export function honestOutcomes(
  oracle: Oracle,
  refusals: ReadonlyMap<number, readonly string[]>,
  isHonest: (maker: string) => boolean,
): HonestOutcomes {
  const outcomes = new Map<number, Honest>()
  const none = { verified: false, quotes: [], best: { notional: 0n, cost: 0n } }
  for (const [auction, refused] of refusals) outcomes.set(auction, { ...none, refusals: refused })
  const takers = [0, 1, 2].map(takerOf)
  for (const auction of oracle.auctions.values()) {
    const { rfq } = auction.record
    const number = auctionOf(rfq.notional)
    if (number < 0 || !takers.some((taker) => taker === rfq.taker)) continue
    outcomes.set(number, {
      verified: rfq.takerVerified === true,
      refusals: refusals.get(number) ?? [],
      quotes: auction.rows
        .filter(({ quote }) => isHonest(quote.maker))
        .map(({ quote }) => `${quote.maker} ${quote.vrtAmount}`)
        .sort(),
      best: oracle.bestOf(auction),
    })
  }
  return outcomes
}

/** Returns how an attack harmed the verified borrowers, compared with the same history without it. */
export function compareHonest(without: HonestOutcomes, attacked: HonestOutcomes): string[] {
  return [...without].flatMap(([auction, usual]) => {
    const given = attacked.get(auction)
    if (!given) return [`the verified auction ${auction} was not opened`]
    const missing = usual.quotes.filter((quote) => !given.quotes.includes(quote))
    const isWorse =
      given.best.notional < usual.best.notional ||
      (given.best.notional === usual.best.notional && given.best.cost > usual.best.cost)
    return [
      ...(given.verified ? [] : [`auction ${auction} was not verified`]),
      ...(given.refusals.length > usual.refusals.length
        ? [`the verified auction ${auction} was refused: ${given.refusals}`]
        : []),
      ...(missing.length > 0 ? [`the verified auction ${auction} lacks the quotes ${missing}`] : []),
      ...(isWorse ? [`the verified auction ${auction} has a worse best choice`] : []),
    ]
  })
}
