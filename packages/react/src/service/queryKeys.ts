import type { BorrowerClient } from '@firmquote/sdk'

/**
 * Prefixes of this package's query keys, for `invalidateQueries` and similar functions. Each key continues with the
 * service's URL and the parameters. All keys start with `firmquote`.
 *
 * @example
 * ```ts
 * await queryClient.invalidateQueries({ queryKey: queryKeys.positions })
 * ```
 */
export const queryKeys = {
  /** All of this package's queries. */
  all: ['firmquote'],
  config: ['firmquote', 'config'],
  health: ['firmquote', 'health'],
  pools: ['firmquote', 'pools'],
  positions: ['firmquote', 'positions'],
  /** Pages of published quotes. */
  quotes: ['firmquote', 'quotes'],
  /** Single published quotes. */
  quote: ['firmquote', 'quote'],
  /** Quotes from recent auctions. */
  recent: ['firmquote', 'recent'],
  /** Rate histories. */
  history: ['firmquote', 'history'],
  auction: ['firmquote', 'auction'],
  /** Chain reads through the wallet. */
  chain: ['firmquote', 'chain'],
} as const

/** A service query's key, including the service's URL and the parameters. */
export function serviceKey(
  kind: Exclude<keyof typeof queryKeys, 'all' | 'chain'>,
  client: BorrowerClient,
  ...parameters: readonly unknown[]
): readonly unknown[] {
  return [...queryKeys[kind], client.getConfig().orderbookUrl, ...parameters]
}
