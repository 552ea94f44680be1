// Why: docs/decisions/0042-taker-record.md
import type { RFQBroadcast } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { ServiceDeps } from '../serviceDeps.ts'
import { readMakerFunds } from './readMakerFunds.ts'

/** What the connected makers could pay, as it was read last: who asks never waits for the chain. */
export type MakerFunds = {
  /** A maker has connected: it is in the next reading. */
  joined(): void
  /** Whether a maker's means in the pool's loan token cover the least that an RFQ asks for. False while they are not known. */
  cover(maker: Address, rfq: Pick<RFQBroadcast, 'poolId' | 'notional' | 'minNotional'>): boolean
  stop(): void
}

/** From the start of a reading to the next in milliseconds, at least. */
const readingIntervalMs = 30_000
/** Makers that connect within so many milliseconds are read together. */
const gatherMs = 1_000

/**
 * Creates it. While makers are connected, all are read every 30 seconds at one block; without an answer nothing is known until the
 * next reading.
 *
 * @param connected gives the maker of each connection.
 */
export function createMakerFunds(
  { chain, clock, store, log }: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'log'>,
  connected: () => readonly Address[],
): MakerFunds {
  type Known = ReadonlyMap<Hex, ReadonlyMap<string, bigint> | undefined>
  const nothing: Known = new Map()
  /** By pool, then by lower-case maker. */
  let known = nothing
  let nextReadingAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null

  const read = async (makers: readonly Address[]): Promise<Known> => {
    const pools = await store.listPools()
    const tokens = pools.map(({ loanToken }) => loanToken)
    const means = await readMakerFunds(chain, makers, tokens)
    return new Map(pools.map(({ poolId, loanToken }) => [poolId, means.get(loanToken)]))
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
          log.warn({ err }, "the means of makers could not be read: no taker's record is told")
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
      const means = known.get(poolId)?.get(maker.toLowerCase())
      return means !== undefined && means >= minNotional
    },
    stop: () => cancel?.(),
  }
}
