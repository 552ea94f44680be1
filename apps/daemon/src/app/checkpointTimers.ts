// Why: docs/decisions/0071-checkpoint-timers.md
import type { Clock } from '@firmquote/core/utils'
import type { Address, Hex } from 'viem'
import {
  advanceHead,
  createWatch,
  estimateFirstBlock,
  type Head,
  isDue,
  isExhausted,
  isPolled,
  listSeries,
  maxPerTransaction,
  nextPollMs,
  type Watch,
} from '../domain/checkpointTurn.ts'
import { feePerGas } from '../domain/keeping.ts'
import type { PositionChain } from '../ports/positionChain.ts'
import type { Counts } from './daemonMetrics.ts'
import type { PositionBook } from './positionBook.ts'

/** Dependencies of {@link createCheckpointTimers}. */
export type CheckpointTimersDeps = {
  maker: Address
  chain: Pick<PositionChain, 'readCheckpoints' | 'observe' | 'findCheckpoints' | 'readGasFunds'>
  book: Pick<PositionBook, 'own'>
  clock: Clock
  /** Maximum gas price, in wei. */
  maxGasPrice: bigint
  /** Whether transactions are currently disabled. */
  isDisabled(): boolean
  counts: Pick<Counts, 'checkpointTaken'>
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/**
 * Takes the checkpoints of the series in which the account has unsettled positions, in the first block at or after each
 * expiry. One timer polls for all series. Stateless: which checkpoints are missing is read from the chain.
 */
export type CheckpointTimers = {
  /**
   * Updates the series from the position book, and takes checkpoints that are missing.
   *
   * @throws {ChainUnavailableError} if a chain read fails.
   */
  refresh(): Promise<void>
  /** Stops polling, and resolves when the current poll is done. */
  stop(): Promise<void>
}

/** Creates the timers. The first `refresh` starts them. */
export function createCheckpointTimers(deps: CheckpointTimersDeps): CheckpointTimers {
  const { maker, chain, book, clock, maxGasPrice, isDisabled, counts, log } = deps
  let watches = new Map<Hex, Watch>()
  let warned = new Set<Hex>()
  /** Hashes of own transactions, until their checkpoints have been reported. */
  let sent = new Map<Hex, Hex[]>()
  let head: Head | null = null
  let headReadAt = 0
  let cancel = () => {}
  let isStopped = false
  let current: Promise<unknown> = Promise.resolve()

  /** Estimates the chain's time, in Unix seconds. The newest block stays the same between polls. */
  const chainTime = () => (head?.timestamp ?? 0) + (clock.monotonic() - headReadAt) / 1_000

  function warnOnce(keys: readonly Hex[], facts: object, message: string): void {
    const fresh = keys.filter((key) => !warned.has(key))
    for (const key of fresh) warned.add(key)
    if (fresh.length > 0) log.warn({ seriesKeys: fresh, ...facts }, message)
  }

  /** Reads the newest block, and sends what is due. */
  async function poll(watched: readonly (readonly [Hex, Watch])[]): Promise<void> {
    if (watched.length === 0 || isStopped || isDisabled()) return
    const { number, timestamp, taken } = await chain.readCheckpoints(watched.map(([key]) => key))
    head = advanceHead(head, { number, timestamp })
    headReadAt = clock.monotonic()
    const due: [Hex, Watch][] = []
    for (const [key, watch] of watched) {
      watch.isTaken = taken.has(key)
      if (timestamp >= watch.expiry) watch.firstBlock ??= estimateFirstBlock(head, watch.expiry)
      if (isDue(watch, head)) due.push([key, watch])
      else if (isExhausted(watch)) warnOnce([key], {}, 'checkpoint still missing after several transactions')
    }
    await send(due.slice(0, maxPerTransaction), number)
    await reportTaken(watched)
  }

  async function send(due: readonly [Hex, Watch][], number: bigint): Promise<void> {
    if (due.length === 0) return
    const keys = due.map(([key]) => key)
    const { gasPrice } = await chain.readGasFunds()
    if (gasPrice > maxGasPrice) return warnOnce(keys, { gasPrice }, 'gas price too high to take checkpoints')
    if (isStopped || isDisabled()) return
    for (const [, watch] of due) watch.sentAt = number
    try {
      // The base fee may rise until the block of the turn.
      const transactionHash = await chain.observe(keys, feePerGas(gasPrice, { maxGasPrice }))
      for (const [key, watch] of due) {
        watch.sends += 1
        sent.set(key, [...(sent.get(key) ?? []), transactionHash])
      }
    } catch (err) {
      warnOnce(keys, { err }, 'failed to take checkpoints; will retry')
    }
  }

  /** Logs which of the checkpoints this account's transactions created. */
  async function reportTaken(watched: readonly (readonly [Hex, Watch])[]): Promise<void> {
    for (const [seriesKey, { expiry, isTaken }] of watched) {
      if (!isTaken) continue
      for (const transactionHash of sent.get(seriesKey) ?? []) {
        const created = await chain.findCheckpoints(transactionHash)
        const own = created.find((one) => one.seriesKey === seriesKey)
        if (own === undefined) continue
        counts.checkpointTaken()
        log.info({ seriesKey, transactionHash, late: own.readAt - expiry }, 'checkpoint taken')
      }
      sent.delete(seriesKey)
    }
  }

  /** Runs after the current poll, then schedules the next one. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    const done = current.then(work).finally(schedule)
    current = done.catch(() => {})
    return done
  }

  function schedule(): void {
    cancel()
    const delay = isStopped ? null : nextPollMs([...watches.values()], chainTime())
    if (delay !== null) cancel = clock.after(delay, pollTimed)
  }

  function pollTimed(): void {
    // A failed poll is repeated. The rounds report a failure that lasts.
    enqueue(() => {
      const watched = [...watches].filter(([, watch]) => !watch.isTaken)
      for (const [, watch] of watched) if (isPolled(watch, chainTime())) watch.polls += 1
      return poll(watched)
    }).catch(() => {})
  }

  return {
    refresh: () =>
      enqueue(() => {
        const series = listSeries(book.own(), Math.floor(clock.now() / 1_000))
        watches = new Map(series.map(([key, expiry]) => [key, watches.get(key) ?? createWatch(maker, key, expiry)]))
        warned = new Set([...warned].filter((key) => watches.has(key)))
        sent = new Map([...sent].filter(([key]) => watches.has(key)))
        // Includes series whose checkpoint exists, because a reorganisation may have removed it.
        return poll([...watches])
      }),
    async stop() {
      isStopped = true
      cancel()
      await current
    },
  }
}
