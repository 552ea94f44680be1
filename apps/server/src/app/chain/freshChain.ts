import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import type { Chain } from '../../ports/chain.ts'
import type { Sync } from './sync.ts'

/** Maximum read attempts: a load balancer may route a later one to an up-to-date node. */
const attempts = 4

/**
 * Wraps a chain so that it never returns state older than the newest synced block. A lagging node would report a filled
 * quote as open.
 *
 * Reads throw {@link ChainUnavailableError} if all attempts return older state.
 */
export function createFreshChain(chain: Chain, sync: Pick<Sync, 'status'>): Chain {
  const fresh = async <T extends { block: BlockRef }>(read: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const reading = await read()
      const { synced } = sync.status()
      if (synced === null || isFresh(reading.block, synced)) return reading
    }
    throw new ChainUnavailableError('The node returned a state older than the newest synced block.')
  }
  return {
    ...chain,
    readQuoteStates: (quotes) => fresh(() => chain.readQuoteStates(quotes)),
    readKnownQuotes: (quotes) => fresh(() => chain.readKnownQuotes(quotes)),
    readCapacities: (seriesKeys) => fresh(() => chain.readCapacities(seriesKeys)),
    readFunds: (request) => fresh(() => chain.readFunds(request)),
    readMarkets: (request) => fresh(() => chain.readMarkets(request)),
  }
}

/** A different hash at the same height means a different branch, which only the sync can resolve. */
function isFresh(block: BlockRef, synced: BlockRef): boolean {
  return block.number > synced.number || (block.number === synced.number && block.hash === synced.hash)
}
