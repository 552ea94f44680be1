// Why: docs/decisions/0042-taker-record.md
import type { RFQBroadcast } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { ServiceDeps } from '../serviceDeps.ts'
import { readMakerFunds } from './readMakerFunds.ts'

/** Connected makers' funds, as of the last read. A lookup never waits for the chain. */
export type MakerFunds = {
  /** Called when a maker connects. The next read of funds includes it. */
  joined(): void
  /** Whether a maker's funds in the pool's loan token cover an RFQ's minimum notional. False while they are unknown. */
  cover(maker: Address, rfq: Pick<RFQBroadcast, 'poolId' | 'notional' | 'minNotional'>): boolean
  stop(): void
}

/** Milliseconds between the starts of consecutive reads. */
const readingIntervalMs = 30_000
/** Milliseconds for which new makers are batched into one read. */
const gatherMs = 1_000

/**
 * Creates the reader. While makers are connected, it reads all their funds every 30 seconds, at a single block. After a
 * failed read, funds are unknown until the next one.
 *
 * @param connected returns the maker of each connection.
 */
export function createMakerFunds(
  { chain, clock, store, log }: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'log'>,
  connected: () => readonly Address[],
): MakerFunds {
  type Known = ReadonlyMap<Hex, ReadonlyMap<string, bigint> | undefined>
  const nothing: Known = new Map()
  /** Funds by pool, then by lower-case maker address. */
  let known = nothing
  let nextReadingAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null

  const read = async (makers: readonly Address[]): Promise<Known> => {
    const pools = await store.listPools()
    const tokens = pools.map(({ loanToken }) => loanToken)
    const funds = await readMakerFunds(chain, makers, tokens)
    return new Map(pools.map(({ poolId, loanToken }) => [poolId, funds.get(loanToken)]))
  }

  const schedule = () => {
    let isCancelled = false
    const cancelTimer = clock.after(Math.max(gatherMs, nextReadingAt - clock.monotonic()), () => {
      const makers = connected()
      if (makers.length === 0) {
        known = nothing
        cancel = null
        return
      }
      nextReadingAt = clock.monotonic() + readingIntervalMs
      void read(makers)
        .catch((err: unknown) => {
          log.warn({ err }, 'failed to read maker funds; taker records will not be shown')
          return nothing
        })
        .then((now) => {
          if (isCancelled) return
          known = now
          schedule()
        })
    })
    cancel = () => {
      isCancelled = true
      cancelTimer()
    }
  }

  return {
    joined() {
      if (cancel === null) schedule()
    },
    cover(maker, { poolId, notional, minNotional = notional }) {
      const funds = known.get(poolId)?.get(maker.toLowerCase())
      return funds !== undefined && funds >= minNotional
    },
    stop: () => cancel?.(),
  }
}
