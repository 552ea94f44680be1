import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import type { Chain } from '../../ports/chain.ts'
import type { Sync } from './sync.ts'

/** A load balancer may send the second read to a node that is up to date. */
const attempts = 2

/**
 * Wraps a chain so that it never returns state older than the newest synced block: a node that is behind would report a
 * quote as open that has been taken since.
 *
 * Its reads throw {@link ChainUnavailableError} when the state is still older at the second attempt.
 */
export function createFreshChain(chain: Chain, sync: Pick<Sync, 'status'>): Chain {
  const fresh = async <T extends { block: BlockRef }>(read: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const reading = await read()
      const { synced } = sync.status()
      if (synced === null || isFresh(reading.block, synced)) return reading
    }
    throw new ChainUnavailableError('The node answers with an older state than it has shown before.')
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

/** Another hash at the same height is another branch of the chain, which only the sync can resolve. */
function isFresh(block: BlockRef, synced: BlockRef): boolean {
  return block.number > synced.number || (block.number === synced.number && block.hash === synced.hash)
}
