import type { ServiceClient } from '@firmquote/sdk'

/**
 * With what the keys of this package's queries begin, for `invalidateQueries` and its like. A key goes on with the address of the
 * service and with what was asked; nothing else of TanStack Query's cache begins with `firmquote`.
 *
 * @example
 * ```ts
 * await queryClient.invalidateQueries({ queryKey: queryKeys.positions })
 * ```
 */
export const queryKeys = {
  /** Everything. */
  all: ['firmquote'],
  config: ['firmquote', 'config'],
  health: ['firmquote', 'health'],
  pools: ['firmquote', 'pools'],
  positions: ['firmquote', 'positions'],
  /** Pages of published quotes. */
  quotes: ['firmquote', 'quotes'],
  /** Single published quotes. */
  quote: ['firmquote', 'quote'],
  /** What auctions have seen. */
  recent: ['firmquote', 'recent'],
  /** What rates have been. */
  history: ['firmquote', 'history'],
  auction: ['firmquote', 'auction'],
  /** What is read from the chain through the wallet. */
  chain: ['firmquote', 'chain'],
} as const

/** The key of something that a service answers. */
export function serviceKey(kind: Exclude<keyof typeof queryKeys, 'all' | 'chain'>, client: ServiceClient) {
  return [...queryKeys[kind], client.getConfig().orderbookUrl] as const
}
