// Why: docs/decisions/0035-seats-by-funds.md
/**
 * A client in a bounded set, with the networks whose limits it counts towards: its address or prefixes of it.
 */
export type Present = { networks: readonly string[] }

/** Maximum number of clients, in total and per network. */
export type EvictionLimits = { all: number; perNetwork: number }

/**
 * Chooses the client to evict for a newcomer. A full network evicts its own oldest client. Otherwise, if the set is
 * full, the network with the most clients, counting the newcomer, evicts its oldest one. Clients from a few networks
 * therefore never displace another network's only client.
 *
 * @param present oldest first.
 * @returns the index in `present` of the client to evict; null if there is room.
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
