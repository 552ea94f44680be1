import type { ServiceClient } from '@firmquote/sdk'

/**
 * Prefixes of this package's query keys, for `invalidateQueries` and similar functions. The service's URL and the
 * parameters follow the prefix. All of this package's keys start with `firmquote`.
 *
 * @example
 * ```ts
 * await queryClient.invalidateQueries({ queryKey: queryKeys.positions })
 * ```
 */
export const queryKeys = {
  /** All queries of this package. */
  all: ['firmquote'],
  config: ['firmquote', 'config'],
  health: ['firmquote', 'health'],
  pools: ['firmquote', 'pools'],
  positions: ['firmquote', 'positions'],
  /** Pages of published quotes. */
  quotes: ['firmquote', 'quotes'],
  /** Single published quotes. */
  quote: ['firmquote', 'quote'],
  /** Quotes of recent auctions. */
  recent: ['firmquote', 'recent'],
  /** Rate histories. */
  history: ['firmquote', 'history'],
  auction: ['firmquote', 'auction'],
  /** Reads of the chain through the wallet. */
  chain: ['firmquote', 'chain'],
} as const

/** The key of a query to the service. */
export function serviceKey(kind: Exclude<keyof typeof queryKeys, 'all' | 'chain'>, client: ServiceClient) {
  return [...queryKeys[kind], client.getConfig().orderbookUrl] as const
}
