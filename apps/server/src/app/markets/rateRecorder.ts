// Why: docs/decisions/0053-rates-over-time.md
import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import { hourOf, hourSeconds, nextBlockToAsk, type TimedBlock } from '../../domain/rateHours.ts'
import type { BlockHeader, Pool } from '../../ports/chain.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { RatePoint } from '../../ports/store.ts'
import type { SyncStatus } from '../chain/sync.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { createFillTimes } from './fillTimes.ts'

/** Records the pools' hourly floating rates and each day's fills. */
export type RateRecorder = {
  /**
   * Records the newest hour if it is missing; otherwise records older hours back to the start of the history. Then
   * dates the newest undated fills. Only one slice runs at a time, with one node request at a time. Never rejects: a
   * failed read is retried within an hour.
   */
  advance(): Promise<void>
  /** Starts over after a change of chain or leader. Recorded hours are not read again. */
  restart(): void
  stop(): void
}

/** Hours that may lack points, from `next` down to `until`. */
type Stretch = {
  next: number
  until: number
  /** A block at or after the hour that follows `next`. */
  above: TimedBlock
  /** Pools whose markets did not exist at some hour, and thus not at any earlier one. */
  ended: Set<string>
  /** When to retry, in monotonic milliseconds. */
  retryAt: number
}

/** Sequential node requests per slice. Searching for a block may take more. */
const requestsOfSlice = 12
const daySeconds = 86_400
/** Hours covered by one query, and the number of such queries per slice. */
const hoursPerQuery = 168
const lookUpsOfSlice = 20
/**
 * Milliseconds before retrying a node that did not respond. A node that lacks a block's state is retried after an hour.
 */
const silentMs = 30_000
const refusedMs = 3_600_000

/** Creates the recorder. It reads nothing until the first `advance`. */
export function createRateRecorder(
  {
    chain,
    store,
    clock,
    log,
    rateHistoryDays = 0,
  }: Pick<ServiceDeps, 'chain' | 'store' | 'clock' | 'log' | 'rateHistoryDays'>,
  sync: { status(): Pick<SyncStatus, 'synced' | 'state'>; leads(): boolean },
): RateRecorder {
  /** Ordered by time. The last stretch is the newest and is processed first. */
  let stretches: Stretch[] = []
  let newest: number | null = null
  let poolsKey = ''
  let epoch = 0
  let spacing = 2
  let running: Promise<void> | null = null
  let stopped = false
  let failing = false
  const fillTimes = createFillTimes({ chain, store, clock })

  const restart = () => {
    epoch += 1
    stretches = []
    newest = null
    fillTimes.restart()
  }

  /** Adds the hours that have started since the last call. */
  const extend = (synced: BlockRef, pools: readonly Pool[]) => {
    const key = pools.map(({ poolId }) => poolId).join()
    if (key !== poolsKey) restart()
    poolsKey = key
    const current = hourOf(synced.timestamp)
    const until = newest === null ? current - rateHistoryDays * daySeconds : newest + hourSeconds
    if (newest !== null && current <= newest) return
    newest = current
    stretches.push({ next: current, until, above: synced, ended: new Set(), retryAt: 0 })
  }

  const read = async (number: bigint): Promise<BlockHeader> => {
    const [block] = await chain.readBlocks([number])
    if (!block) throw new ChainUnavailableError('The node did not return the block.')
    return block
  }

  /** Finds the first block at or after a time, and its predecessor (null for the chain's first block). */
  const findFirst = async (time: number, above: TimedBlock) => {
    let high: TimedBlock & Partial<BlockHeader> = above
    let low: BlockHeader | null = null
    let asked = 0
    for (;;) {
      const number = nextBlockToAsk(time, { low, high, spacing, asked })
      if (number === null) break
      const block = await read(number)
      asked += 1
      if (block.timestamp >= time) high = block
      else low = block
    }
    const first = await (high.hash === undefined || high.parentHash === undefined
      ? read(high.number)
      : (high as BlockHeader))
    if (first.timestamp < time || (low !== null && first.parentHash !== low.hash)) {
      throw new ChainUnavailableError('The chain changed during the read.')
    }
    if (low !== null && above.number > low.number) {
      const seconds = Number(above.timestamp - low.timestamp) / Number(above.number - low.number)
      if (seconds > 0) spacing = seconds
    }
    return { first, before: low, requests: asked + 2 }
  }

  /** Records a stretch's hours, newest first, for one slice. Returns true when it reaches the end. */
  const goDown = async (stretch: Stretch, pools: readonly Pool[], points: RatePoint[], now: number) => {
    let requests = 0
    for (let lookUps = 0; lookUps < lookUpsOfSlice; lookUps += 1) {
      const from = Math.max(stretch.until, stretch.next - (hoursPerQuery - 1) * hourSeconds)
      const known = new Map<number, Map<string, bigint>>()
      for (const { hour, poolId, block } of await store.listRateHours({ from, to: stretch.next })) {
        known.set(hour, (known.get(hour) ?? new Map()).set(poolId, block))
      }
      while (stretch.next >= from) {
        const hour = stretch.next
        const kept = known.get(hour) ?? new Map<string, bigint>()
        const missing = pools.filter(({ poolId }) => !kept.has(poolId) && !stretch.ended.has(poolId))
        const [block] = kept.values()
        if (missing.length === 0) {
          // This block is at or after every remaining hour.
          if (block !== undefined) stretch.above = { number: block, timestamp: BigInt(hour) }
          stretch.next -= hourSeconds
          if (pools.every(({ poolId }) => stretch.ended.has(poolId))) return true
          continue
        }
        if (requests >= requestsOfSlice || stopped) return false
        const found = await findFirst(hour, stretch.above)
        requests += found.requests
        if (found.first.timestamp < hour + hourSeconds) {
          const rates = await chain.readRates({ pools: missing, block: found.first })
          if (rates === null) {
            stretch.retryAt = now + refusedMs
            return false
          }
          for (const { poolId } of missing) {
            const ratePerSec = rates.get(poolId)
            if (ratePerSec === undefined) stretch.ended.add(poolId)
            else points.push({ poolId, hour, block: found.first.number, ratePerSec })
          }
        }
        stretch.above = found.first
        if (found.before === null) return true
        // The hours in between have no block.
        stretch.next = hourOf(found.before.timestamp)
      }
      if (stretch.next < stretch.until) return true
    }
    return false
  }

  const slice = async () => {
    const { synced, state } = sync.status()
    if (!sync.leads()) restart()
    // While the sync is far behind the head, the store may no longer retain the block read below.
    if (!sync.leads() || synced === null || state === 'starting') return
    await recordHours(synced)
    // The first retained day is complete.
    const day = Math.floor((hourOf(synced.timestamp) - rateHistoryDays * daySeconds) / daySeconds)
    if (!stopped) await fillTimes.advance(day * daySeconds)
  }

  const recordHours = async (synced: BlockRef) => {
    extend(synced, await store.listPools())
    const now = clock.monotonic()
    const stretch = stretches.findLast(({ retryAt }) => retryAt <= now)
    if (!stretch) return
    const begun = epoch
    const before = { ...stretch, ended: new Set(stretch.ended) }
    const points: RatePoint[] = []
    const goBack = (retryAt: number) => Object.assign(stretch, before, { retryAt })
    try {
      const isDone = await goDown(stretch, await store.listPools(), points, now)
      if (points.length > 0) await keep(points, synced)
      if (begun === epoch && isDone) stretches = stretches.filter((other) => other !== stretch)
    } catch (error) {
      goBack(now + silentMs)
      throw error
    }
  }

  const keep = async (points: readonly RatePoint[], asOf: BlockRef) => {
    // The node must still be on the same chain as the store.
    if ((await read(asOf.number)).hash !== asOf.hash) {
      throw new ChainUnavailableError('The chain changed during the read.')
    }
    if (stopped) return
    const keepFrom = hourOf(asOf.timestamp) - rateHistoryDays * daySeconds
    await store.addRatePoints({ points, asOf, keepFrom })
  }

  return {
    async advance() {
      if (rateHistoryDays === 0 || stopped) return
      running ??= slice()
        .then(() => {
          failing = false
        })
        .catch((err: unknown) => {
          const isExpected = err instanceof ChainUnavailableError || err instanceof StorageUnavailableError
          if (!stopped && !(failing && isExpected)) log.warn({ err }, 'failed to read the rate history')
          failing = true
        })
        .finally(() => {
          running = null
        })
      await running
    },
    restart,
    stop() {
      stopped = true
    },
  }
}
