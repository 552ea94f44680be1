import {
  type AccountPositions,
  ChainUnavailableError,
  type CurrentRate,
  type PoolFilters,
  type PoolRates,
  type PositionFilters,
  type RateHistory,
  type RateHistoryFilters,
} from '@firmquote/core'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { Sync } from '../chain/sync.ts'
import type { Bans } from '../control/bans.ts'
import type { ControlPlane } from '../control/controls.ts'
import { withHalts } from '../control/halts.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { createReadPositions } from './accountPositions.ts'
import { createFairQueue } from './fairQueue.ts'
import { floatingRate, protocolOf } from './lendingMarket.ts'
import type { OfferBook } from './offerBook.ts'
import { createReadPoolRates } from './poolRates.ts'
import { createReadRateHistory } from './rateHistory.ts'

/** Lending markets and series. Every method throws {@link ChainUnavailableError} if the chain cannot be read. */
export type Markets = {
  /**
   * All pools with their active series, or a single pool, up to one second old. Rates and depth are measured at a size
   * in raw units, by default 1 % of each series' remaining capacity.
   *
   * @param network the requester's network, by which requested sizes are measured in turn.
   * @throws {OverloadedError} if too many sizes are being measured and this network requested the most.
   */
  pools(filters?: PoolFilters, network?: string): Promise<PoolRates[]>
  /** The floating rate of every lending market. */
  rates(): Promise<CurrentRate[]>
  /**
   * A pool's past rates; null for an unknown pool.
   *
   * @throws {InvalidInputError} with path `from` if the range is empty or too long.
   */
  history(filters: RateHistoryFilters): Promise<RateHistory | null>
  /**
   * An account's debts, withdrawable amounts and one page of fixed positions, all at a single block.
   *
   * @throws {InvalidInputError} with path `cursor` if the cursor belongs to a different list.
   */
  positions(filters: PositionFilters): Promise<AccountPositions>
}

/** Milliseconds for which a result is cached, and the cache's capacity. */
const freshMs = 1_000
const maxAnswers = 200
/** Maximum concurrent measurements at requested sizes, and their queue's capacity. */
const maxRunning = 4
const maxWaiting = 200

/** Creates the view of lending markets and series, based on synced events and on-chain state at a single block. */
export function createMarkets(
  deps: ServiceDeps & { offerBook: OfferBook; bans: Pick<Bans, 'makers'>; controls: Pick<ControlPlane, 'current'> },
  sync: Pick<Sync, 'status'>,
): Markets {
  const { chain, clock, store, bans, controls } = deps
  const readPoolRates = createReadPoolRates(deps.offerBook)
  const readPositions = createReadPositions(deps)
  const readRateHistory = createReadRateHistory(deps)
  const answers = new LRUCache<string, { at: number; banned: readonly Address[]; pools: Promise<PoolRates[]> }>({
    max: maxAnswers,
  })
  const queue = createFairQueue({ maxRunning, maxWaiting })

  /** Throws before the first sync, when no pools are known yet. */
  const requireSynced = () => {
    if (sync.status().synced === null) throw new ChainUnavailableError("The pools' events have not been synced yet.")
  }

  /** Reuses a result that is less than a second old, unless other makers are banned since. */
  const fresh = (key: string, read: () => Promise<PoolRates[]>): Promise<PoolRates[]> => {
    const [at, banned] = [clock.monotonic(), bans.makers()]
    const known = answers.get(key)
    if (known && known.banned === banned && at - known.at < freshMs) return known.pools
    const answer = { at, banned, pools: read() }
    answers.set(key, answer)
    answer.pools.catch(() => {
      if (answers.peek(key) === answer) answers.delete(key)
    })
    return answer.pools
  }

  const readPools = async ({ poolId, notional: size }: PoolFilters, network: string): Promise<PoolRates[]> => {
    // All callers share the result at the default size, which bypasses the queue for requested sizes.
    if (size === undefined) {
      const all = await fresh('', () => readPoolRates({}))
      return all.filter((pool) => poolId === undefined || pool.poolId === poolId)
    }
    const wanted = { size, ...(poolId !== undefined && { poolId }) }
    return fresh(`${poolId ?? ''} ${size}`, () => queue.run(network, () => readPoolRates(wanted)))
  }

  return {
    async pools(filters = {}, network = '') {
      requireSynced()
      const pools = await readPools(filters, network)
      // After the reads, so that a change is effective at once.
      return withHalts(pools, controls.current().halts)
    },

    async rates() {
      requireSynced()
      const pools = await store.listPools()
      const { block, markets } = await chain.readMarkets({ pools })
      return markets.map(
        ({ pool: { adapter, market, loanToken }, ratePerSec }): CurrentRate => ({
          protocol: protocolOf(adapter),
          market,
          loanToken,
          ...floatingRate(ratePerSec),
          block: Number(block.number),
        }),
      )
    },

    async history(filters) {
      requireSynced()
      return readRateHistory(filters)
    },

    async positions(filters) {
      requireSynced()
      return readPositions(filters)
    },
  }
}
