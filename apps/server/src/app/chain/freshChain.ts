import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import type { Chain } from '../../ports/chain.ts'
import type { Sync } from './sync.ts'

/** A balancer may send the next question to a node that has what the first one lacks. */
const attempts = 2

/**
 * The chain, never as it was before what the sync has seen of it: a node that is behind would call a quote open that has
 * been taken since. State that stays older than that is no state.
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
    readMarkets: (request) => fresh(() => chain.readMarkets(request)),
  }
}

/** The same height with another hash is another chain: which of the two stays, the sync will tell. */
function isFresh(block: BlockRef, synced: BlockRef): boolean {
  return block.number > synced.number || (block.number === synced.number && block.hash === synced.hash)
}
