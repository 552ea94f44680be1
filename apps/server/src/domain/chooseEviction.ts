// Why: docs/decisions/0035-seats-by-funds.md
/** Someone in a bounded crowd, with the networks that it counts for: an address, or prefixes of it. */
export type Present = { networks: readonly string[] }

/** How many may be there, in all and of one network. */
export type EvictionLimits = { all: number; perNetwork: number }

/**
 * Decides who makes room for a newcomer. A network that is full makes its own room; otherwise, when all places are taken, the
 * oldest of the network that has most (the newcomer counted) gives way. So a crowd of few networks never takes the place of
 * one that is alone in its own.
 *
 * @param present oldest first.
 * @returns the place in `present` of the one that gives way; null when there is room.
 */
export function chooseEviction(present: readonly Present[], newcomer: Present, limits: EvictionLimits): number | null {
  const counts = new Map<string, number>()
  for (const { networks } of [...present, newcomer]) {
    for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1)
  }
  const crowded = newcomer.networks.find((network) => (counts.get(network) ?? 0) > limits.perNetwork)
  if (crowded !== undefined) return present.findIndex(({ networks }) => networks.includes(crowded))
  if (present.length < limits.all) return null
  const mostOf = ({ networks }: Present) => Math.max(...networks.map((network) => counts.get(network) ?? 0))
  const most = Math.max(...present.map(mostOf))
  return present.findIndex((one) => mostOf(one) === most)
}
