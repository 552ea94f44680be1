// Why: docs/decisions/0053-rates-over-time.md
import { ChainUnavailableError, quoteApr } from '@firmquote/core'
import type { Hex } from 'viem'
import { advanceStanding, type StandingOffers } from '../../domain/standingOffers.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { OfferDay } from '../../ports/store.ts'
import type { SyncStatus } from '../chain/sync.ts'
import type { Halts } from '../control/halts.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { OfferBook } from './offerBook.ts'

/** Records each day's best public offer that stood, for each series at its default size. */
export type OfferRecorder = {
  /** Reads the offers if the last read is old enough. Never rejects: after a failed read, it starts over. */
  advance(): Promise<void>
  /** Starts over after a change of chain or leader. */
  restart(): void
  stop(): void
}

/** Milliseconds between the starts of two reads. */
const readingIntervalMs = 10_000
const daySeconds = 86_400

/** Creates the recorder. It runs only on the instance that follows the chain. */
export function createOfferRecorder(
  {
    store,
    clock,
    log,
    rateHistoryDays = 0,
    offerBook,
    halts,
  }: Pick<ServiceDeps, 'store' | 'clock' | 'log' | 'rateHistoryDays'> & {
    offerBook: OfferBook
    halts: Pick<Halts, 'series'>
  },
  sync: { status(): Pick<SyncStatus, 'synced' | 'state'>; leads(): boolean },
): OfferRecorder {
  /** By series. */
  let standing = new Map<Hex, StandingOffers>()
  let nextReadAt = 0
  let stopped = false
  let failing = false

  const read = async () => {
    const snapshot = await offerBook.snapshot()
    const { reading, time } = snapshot
    const halted = await halts.series()
    const series = snapshot.series.filter(({ seriesKey }) => !halted.has(seriesKey))
    const offers = await offerBook.offersAt(snapshot, new Map(series.map((one) => [one, one.defaultSize])))
    const next = new Map<Hex, StandingOffers>()
    const found = series.flatMap(({ seriesKey, expiry }): OfferDay[] => {
      const advanced = advanceStanding(standing.get(seriesKey) ?? new Map(), {
        offers: offers.get(seriesKey) ?? [],
        block: reading.block.number,
      })
      next.set(seriesKey, advanced.standing)
      const [best] = advanced.stood
      if (!best) return []
      const { notional, vrtAmount } = best
      const at = Number(time)
      const day = Math.floor(at / daySeconds) * daySeconds
      return [{ seriesKey, day, apr: quoteApr(best, expiry, at), notional, price: { notional, vrtAmount, at } }]
    })
    standing = next
    const { synced } = sync.status()
    if (found.length === 0 || synced === null || stopped) return
    const keepFrom = Number(synced.timestamp) - rateHistoryDays * daySeconds
    await store.addRatePoints({ points: [], offers: found, asOf: synced, keepFrom })
  }

  return {
    async advance() {
      const { synced, state } = sync.status()
      const now = clock.monotonic()
      if (rateHistoryDays === 0 || stopped || !sync.leads() || synced === null || state === 'starting') return
      if (now < nextReadAt) return
      // One read at a time.
      nextReadAt = Number.POSITIVE_INFINITY
      try {
        await read()
        failing = false
      } catch (err) {
        standing = new Map()
        const isExpected = err instanceof ChainUnavailableError || err instanceof StorageUnavailableError
        if (!stopped && !(failing && isExpected)) log.warn({ err }, 'failed to record the standing offers')
        failing = true
      }
      nextReadAt = now + readingIntervalMs
    },
    restart() {
      standing = new Map()
    },
    stop() {
      stopped = true
    },
  }
}
