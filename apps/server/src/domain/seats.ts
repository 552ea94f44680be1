// Why: docs/decisions/0035-seats-by-funds.md
import type { Address } from 'viem'

/** The standing of makers at one block. Addresses are lower-case. */
export type Standing = {
  /** By loan token: the raw units that each maker could pay, the lesser of its balance and its allowance. */
  funds: ReadonlyMap<string, ReadonlyMap<string, bigint>>
  /** Makers with a recent fill. */
  filled: ReadonlySet<string>
}

/** A connection of a maker. */
export type SeatedMaker = { maker: Address }

/**
 * Chooses the connections to evict when there are more of them than seats. Makers with funds or a fill keep their seats
 * first; every maker's first connection precedes any second one. Then makers with a fill come first, then better ranks,
 * then earlier connections.
 *
 * Amounts of different tokens do not compare, so a maker has a rank in each token and the best one counts. A maker with
 * the r-th largest amount in any of t tokens has at most t * r makers before it, whatever others hold in other tokens.
 *
 * @param connections oldest first.
 * @returns the connections to evict.
 */
export function judgeSeats<Connection extends SeatedMaker>(
  connections: readonly Connection[],
  { funds, filled }: Standing,
  seats: number,
): Connection[] {
  if (connections.length <= seats) return []
  const ranks = rankMakers(funds)
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
 * The best rank of each maker over all tokens: the number of makers with at least as much of the token, itself
 * included. A maker without funds has no rank. Equal amounts share the last of their ranks, so that many keys with the
 * same small amount do not all rank first in a token that is otherwise unused.
 */
function rankMakers(funds: Standing['funds']): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const amounts of funds.values()) {
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

/** Compares without subtraction, since Infinity minus Infinity is NaN. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
