// Why: docs/decisions/0035-seats-by-funds.md
import type { Address } from 'viem'

/** What makers have at one block. Addresses are lower-case. */
export type Standing = {
  /** By loan token: what each maker could pay of it in raw units, the lesser of its balance and its allowance. */
  means: ReadonlyMap<string, ReadonlyMap<string, bigint>>
  /** Makers with a fill of late. */
  filled: ReadonlySet<string>
}

/** A connection of a maker. */
export type SeatedMaker = { maker: Address }

/**
 * Decides which connections keep a seat when there are more of them than seats. First come makers that have means or a fill,
 * each with its first connection before any with its second; of these, makers with a fill; then the better rank; then who
 * came earlier.
 *
 * Amounts of different tokens do not compare, so a maker has its rank in each token, and the best one counts: the maker with the
 * r-th most of any of t tokens has at most t * r makers before it, whatever others have of the other tokens.
 *
 * @param connections oldest first.
 * @returns those that give way.
 */
export function judgeSeats<Connection extends SeatedMaker>(
  connections: readonly Connection[],
  { means, filled }: Standing,
  seats: number,
): Connection[] {
  if (connections.length <= seats) return []
  const ranks = rankMakers(means)
  const counts = new Map<string, number>()
  const places = connections.map((connection, arrival) => {
    const maker = connection.maker.toLowerCase()
    const nth = counts.get(maker) ?? 0
    counts.set(maker, nth + 1)
    const rank = ranks.get(maker) ?? Number.POSITIVE_INFINITY
    const isFilled = filled.has(maker)
    return { connection, arrival, nth, rank, isFilled, isPoor: rank === Number.POSITIVE_INFINITY && !isFilled }
  })
  return places
    .sort(
      (a, b) =>
        Number(a.isPoor) - Number(b.isPoor) ||
        a.nth - b.nth ||
        Number(b.isFilled) - Number(a.isFilled) ||
        compare(a.rank, b.rank) ||
        a.arrival - b.arrival,
    )
    .slice(seats)
    .map(({ connection }) => connection)
}

/**
 * The best rank of each maker over all tokens: as many as have at least as much of the token, itself among them, and nothing has
 * none. Equals share the last of their places, so that many keys with the same little are not all first in a token that nobody has.
 */
function rankMakers(means: Standing['means']): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const amounts of means.values()) {
    const sorted = [...amounts].filter(([, amount]) => amount > 0n).sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    let rank = sorted.length
    for (let index = sorted.length - 1; index >= 0; index -= 1) {
      const [maker, amount] = sorted[index] as [string, bigint]
      if (amount !== sorted[index + 1]?.[1]) rank = index + 1
      ranks.set(maker, Math.min(rank, ranks.get(maker) ?? rank))
    }
  }
  return ranks
}

/** Infinity less itself is no number. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
