import type { Address } from 'viem'
import { isLargeFill } from '../../domain/fills.ts'
import type { Standing } from '../../domain/seats.ts'
import { createFirstRecentBlock } from '../chain/recentBlocks.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { readMakerFunds } from './readMakerFunds.ts'

/**
 * Reads makers' funds at a single block and their fills in the last 30 days. Rejects if the chain or the store does not
 * respond.
 */
export type ReadStanding = (makers: readonly Address[]) => Promise<Standing>

/** Creates {@link ReadStanding}. */
export function createReadStanding(deps: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'sync'>): ReadStanding {
  const { chain, store } = deps
  const firstBlock = createFirstRecentBlock(deps)

  return async (makers) => {
    const [pools, from] = await Promise.all([store.listPools(), firstBlock()])
    const [funds, fills] = await Promise.all([
      readMakerFunds(
        chain,
        makers,
        pools.map(({ loanToken }) => loanToken),
      ),
      store.listLargestFills(makers, from),
    ])
    return { funds, filled: new Set(fills.filter(isLargeFill).map(({ maker }) => maker.toLowerCase())) }
  }
}
