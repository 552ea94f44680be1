// Why: docs/decisions/0035-seats-by-funds.md
import type { Address } from 'viem'

/** Makers' standing at one block. Addresses are lower-case. */
export type Standing = {
  /** The raw units that each maker can pay, by loan token: the smaller of its balance and allowance. */
  funds: ReadonlyMap<string, ReadonlyMap<string, bigint>>
  /** Makers with a recent fill. */
  filled: ReadonlySet<string>
}

/** A maker's connection. */
export type SeatedMaker = { maker: Address }

/**
 * Chooses which connections to evict when there are more connections than seats. Connections are ordered by these
 * criteria, in turn: the maker has funds or a fill, it is the maker's first connection, the maker has a fill, better
 * rank, earlier connection.
 *
 * Amounts in different tokens cannot be compared, so a maker is ranked in each token, and its best rank counts. A maker
 * whose amount is the r-th largest in any of t tokens is preceded by at most t * r makers, regardless of their amounts
 * in other tokens.
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
 * Returns each maker's best rank across all tokens. A maker's rank in a token is the number of makers, including
 * itself, with at least as much of the token. A maker without funds has no rank. Makers with equal amounts share the
 * lowest of their ranks, so that many keys with the same small amount do not all rank first in a token that hardly
 * anyone holds.
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

/** Does not subtract, because Infinity minus Infinity is NaN. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
