// Why: docs/decisions/0049-one-instance-follows-the-chain.md
import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import { bytesToHex, type Hex } from 'viem'
import { type ChainPoint, fitsBlocks, isConnected, planSync, type SyncStep } from '../../domain/followChain.ts'
import { accountsFor, mayContain } from '../../domain/logsBloom.ts'
import { watchedLogs } from '../../domain/watchedLogs.ts'
import type { BlockHeader, Chain, ChainEvent } from '../../ports/chain.ts'
import { ChainDisagreesError, CursorMovedError, StorageUnavailableError } from '../../ports/errors.ts'
import type { SyncedBlock, SyncPosition } from '../../ports/store.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { chainNow } from './chainNow.ts'

/** The progress of the sync. */
export type SyncStatus = {
  /** The newest block reported by the node. */
  head: BlockRef | null
  /** The newest block whose events are in the store. */
  synced: BlockRef | null
  /** Age in seconds of the newest synced block, or of the head if none is synced; negative if this clock is slow. */
  lagSeconds: number | null
  /**
   * Whether several consecutive polls have failed, or one that failed began some seconds ago. A poll also fails if the node lacks blocks that the store had at the
   * previous poll, or has different blocks at their heights. The state returned by such a node may be outdated.
   */
  failing: boolean
  /** Whether the latest cycle failed because the nodes have different finalized blocks. */
  disagrees: boolean
  /**
   * `starting` until the store first reaches the node's head. After that, the state depends on the block's age, the
   * clock and the polls. While `stale`, the service accepts no quotes and opens no auctions. While `failing`, the
   * service opens no auctions.
   */
  state: 'starting' | 'ok' | 'degraded' | 'stale'
}

/** Callbacks of the sync. */
export type SyncListener = {
  /** Called after each write, even if its outcome is unknown. */
  written?(): void
  /** Called after each rollback, even if its outcome is unknown. */
  undone?(): void
  /** Called after each cycle, whether or not it succeeded. */
  cycled?(): void
}

/**
 * Writes the chain's events to the store. Among the instances that share a store, the lease holder reads events and
 * undoes reorganised blocks. The other instances use the store and read only their own nodes' heads. The lease only
 * saves reads: writes are safe without it because each names the store's cursor.
 */
export type Sync = {
  status(): SyncStatus
  /**
   * Brings the store up to the node's head. Concurrent calls share one cycle. An instance without the lease adds only
   * blocks near the head and undoes nothing.
   *
   * @throws {ChainUnavailableError} if the node does not respond or contradicts itself. Blocks applied before that are
   * correct, and the next cycle continues from there.
   * @throws {StorageUnavailableError} if the store cannot write.
   */
  cycle(): Promise<void>
  /** Whether this instance held the lease at its last request. */
  leads(): boolean
  /** Starts polling the node. */
  start(): void
  /** Stops polling and releases the lease. Resolves after the last write. */
  stop(): Promise<void>
}

/** Number of consecutive failed polls after which the node is no longer trusted to be up to date. */
const failingPolls = 3
/** Milliseconds since the start of the first failed poll after which the node is no longer trusted either. */
const failingMs = 2_500
/** Maximum number of times that a cycle is repeated at once on another node. */
const maxRepeats = 3
/**
 * Seconds by which the clock may lag behind the chain. With more lag, the service could accept quotes after their
 * deadline.
 */
const maxClockLagSeconds = 30
/** Number of blocks read with their headers in one step. */
const stepBlocks = 100n
const progressEveryMs = 5_000
/** Milliseconds for which the lease outlasts the next poll. After this reserve, another instance takes over. */
const leaseReserveMs = 3_000
/** While a node is unavailable, one in this many failed cycles is logged. */
const logFailureEvery = 60

type Deps = Pick<
  ServiceDeps,
  'chain' | 'clock' | 'store' | 'random' | 'domain' | 'interestRatePool' | 'log' | 'sync' | 'debtAgeBlocks'
>

/** Creates the sync. It reads nothing before its first cycle. */
export function createSync(
  { chain, clock, store, random, domain, interestRatePool, log, sync: settings, debtAgeBlocks = 0 }: Deps,
  { written = () => {}, undone = () => {}, cycled = () => {} }: SyncListener = {},
): Sync {
  const deployBlock = BigInt(settings.deployBlock)
  const readSingly = BigInt(settings.readSingly ?? 1_000)
  // One block more than the maximum depth, because a rollback needs the common ancestor. Below these blocks, the ages of
  // debts need others, even after a rollback.
  const keptBlocks = (settings.reorgWindow ?? 64) + 1 + debtAgeBlocks
  const watched = watchedLogs({ quoteMarket: domain.quoteMarket, interestRatePool })
  const holder = bytesToHex(random(16))
  const leaseMs = settings.intervalMs + leaseReserveMs
  let head: BlockRef | null = null
  let synced: BlockRef | null = null
  /**
   * The head from this instance's first read. The store is up to date once it reaches this block. Null before that
   * read.
   */
  let target: bigint | null = null
  let complete = false
  let stopped = false
  let leads = false
  /**
   * Whether the node lacks blocks that the store had at the previous poll, or has different blocks at their heights.
   */
  let apart = false
  /** The store's cursor, and the time at which the node was first seen to have blocks beyond it. */
  let ahead: { cursor: Hex | null; since: number } | null = null
  let failures = 0
  /** Counts only polls, because any client can trigger cycles by naming an unknown series. */
  let failedPolls = 0
  /** Start of the first of the failed polls; null if the latest poll succeeded. */
  let failedSince: number | null = null
  let disagrees = false
  /** The node that the cycle reads. */
  let pinned: Chain = chain
  let clockLags = false
  let progressLoggedAt = clock.monotonic()
  let running: { isAsked: boolean; done: Promise<void> } | null = null
  let writing: Promise<void> = Promise.resolve()
  let cancelTimer = () => {}

  const write = async (run: () => Promise<void>) => {
    if (stopped) throw new ChainUnavailableError('The sync was stopped.')
    const done = run()
    writing = done.catch(() => {})
    try {
      await done
    } catch (error) {
      // Another instance moved the cursor first; the next step reads the new position.
      if (!(error instanceof CursorMovedError)) throw error
    } finally {
      written()
    }
  }

  /**
   * Acquires or renews the lease. A holder whose node fails or stalls keeps the lease only until another instance
   * requests it.
   */
  const lead = async () => {
    const isOld = complete && (lagSeconds() ?? 0) > settings.headDegradedSeconds
    const isHealthy = failures === 0 && !apart && !isOld
    leads = !stopped && (await hold(isHealthy ? leaseMs : 0))
    return leads
  }

  const hold = (milliseconds: number) => store.holdLease(holder, milliseconds, clock.now())

  const releaseLease = async () => {
    if (!leads) return
    leads = false
    // If the release fails, the lease expires.
    await hold(0).catch(() => {})
  }

  const cycle = async (isAsked: boolean) => {
    const before = synced
    const newest = await pinned.readHead()
    head = newest
    target ??= newest.number
    const answers = new Map<bigint, Hex>()
    let checked = false
    while (!stopped) {
      // Renewed before each step, because a long series of steps outlasts the lease.
      await lead()
      const position = await store.findSyncPosition()
      synced = position.cursor
      const step = planSync({ ...position, kept: position.blocks, head: newest, answers, deployBlock })
      noteProgress(step, newest)
      if (step.do === 'readBlock') {
        const [block] = await pinned.readBlocks([step.number])
        if (block) answers.set(block.number, block.hash)
        continue
      }
      const lacks = ({ number }: BlockRef) => newest.number < number
      apart =
        step.do === 'wait' ? [before, synced].every((block) => block && lacks(block)) : !leads && step.do !== 'follow'
      if (step.do === 'wait' || apart || !(leads || mayAdd(step, newest, isAsked))) return
      // A node on a different chain must neither add nor undo blocks.
      if (!checked) await checkChainId()
      checked = true
      if (step.do === 'follow') await follow(position, step.from, newest)
      else if (step.do === 'rollBack') await rollBack(position.cursor, step.to)
      else await resync(position.cursor, newest)
    }
  }

  const noteProgress = (step: SyncStep, newest: BlockHeader) => {
    const wasComplete = complete
    if (step.do === 'wait') complete = true
    else if (synced === null) {
      complete = false
      target = newest.number
    } else complete ||= target !== null && synced.number >= target
    if (complete && !wasComplete) log.info({ block: Number(synced?.number ?? newest.number) }, 'chain synced')
  }

  /**
   * Whether this instance may add blocks without the lease. This is allowed if a client requested the cycle, if the
   * instance has just started (the lease may belong to a process that has exited), or if the holder has added nothing
   * for the duration of a lease. Only the holder performs long catch-ups.
   */
  const mayAdd = (step: SyncStep, newest: BlockHeader, isAsked: boolean) => {
    if (step.do !== 'follow') return false
    const cursor = synced?.hash ?? null
    if (ahead?.cursor !== cursor) ahead = { cursor, since: clock.monotonic() }
    const isAbandoned = clock.monotonic() - ahead.since >= leaseMs
    return (isAsked || isAbandoned || !complete) && newest.number - step.from < readSingly
  }

  const checkChainId = async () => {
    const chainId = await pinned.readChainId()
    if (chainId === domain.chainId) return
    throw new ChainUnavailableError(`The node is on chain ${chainId}, not ${domain.chainId}.`)
  }

  const follow = async (position: SyncPosition, from: bigint, newest: BlockHeader) => {
    const { blocks, events } =
      newest.number - from >= readSingly
        ? await readFar(from, newest.number - readSingly)
        : await readNear(position.cursor, from, newest)
    const cursor = blocks.at(-1)
    if (!cursor) return
    await write(() =>
      store.applyBlocks({
        after: position.cursor,
        cursor,
        blocks: blocks.slice(-keptBlocks),
        events,
        keep: keptBlocks,
        at: clock.now(),
      }),
    )
    if (newest.number - cursor.number > readSingly && clock.monotonic() - progressLoggedAt >= progressEveryMs) {
      progressLoggedAt = clock.monotonic()
      log.info({ block: Number(cursor.number), head: Number(newest.number) }, 'syncing the chain')
    }
  }

  /**
   * Reads blocks far below the head: their events, and only the headers that verify the events' blocks.
   */
  const readFar = async (from: bigint, to: bigint) => {
    const { through, events } = await pinned.readEvents({ from, to })
    if (events.length === 0) {
      // Headers cannot reveal missing events here, so an empty response is read twice.
      const again = await pinned.readEvents({ from, to: through })
      if (again.events.length > 0) throw new ChainUnavailableError('The node omitted events.')
    }
    const numbers = new Set(events.map(({ blockNumber }) => blockNumber)).add(through)
    const blocks = await pinned.readBlocks([...numbers].sort((a, b) => Number(a - b)))
    if (!fitsBlocks(events, blocks)) throw new ChainUnavailableError('The node returned events from other blocks.')
    return { blocks: blocks.slice(-1), events }
  }

  /** Reads blocks near the head with their headers, which reveal missing events and other branches. */
  const readNear = async (cursor: ChainPoint | null, from: bigint, newest: BlockHeader) => {
    const last = from + stepBlocks - 1n
    const to = last < newest.number ? last : newest.number
    const { through, events } = await pinned.readEvents({ from, to })
    const numbers: bigint[] = []
    for (let number = from; number <= through; number += 1n) if (number !== newest.number) numbers.push(number)
    const blocks = await pinned.readBlocks(numbers)
    if (through === newest.number) blocks.push(newest)
    if (!isConnected(cursor, blocks)) throw new ChainUnavailableError('The chain changed during the read.')
    const found = [...events]
    const withEvents = new Set(events.map(({ blockNumber }) => blockNumber))
    for (const block of blocks) {
      if (!withEvents.has(block.number)) found.push(...(await readMissing(block)))
    }
    if (!fitsBlocks(found, blocks)) throw new ChainUnavailableError('The node returned events from other blocks.')
    return { blocks, events: found }
  }

  /**
   * Looks for events in a block that has none according to the node. If the block's bloom filter may contain events,
   * reads all its logs, which must reproduce the filter. If so, the node omitted events or the filter had a false
   * positive.
   */
  const readMissing = async (block: BlockHeader): Promise<ChainEvent[]> => {
    if (!watched.some(({ address, topics }) => mayContain(block.logsBloom, address, topics))) return []
    const { logs, events } = await pinned.readBlockLogs(block.hash)
    if (!accountsFor(logs, block.logsBloom)) throw new ChainUnavailableError('The node omitted events.')
    return events
  }

  const rollBack = async (from: SyncedBlock | null, { number, hash }: ChainPoint) => {
    const [block] = await pinned.readBlocks([number])
    if (block?.hash !== hash) throw new ChainUnavailableError('The chain changed during the read.')
    log.warn({ from: Number(synced?.number), to: Number(number) }, 'chain reorganised')
    await write(() => store.rollBack({ from, to: block, at: clock.now() })).finally(undone)
  }

  /**
   * Handles a reorganisation deeper than the retained blocks: resumes from a finalized block, or starts over.
   */
  const resync = async (from: SyncedBlock | null, newest: BlockHeader) => {
    const finalized = await pinned.readFinalized()
    const checkpoint = finalized && (await store.findCheckpoint(min(finalized.number, newest.number)))
    const [block] = checkpoint ? await pinned.readBlocks([checkpoint.number]) : []
    const fits = block !== undefined && block.hash === checkpoint?.hash
    log.warn(
      { from: Number(synced?.number), to: fits ? Number(block.number) : null },
      'chain reorganised below the retained blocks; resyncing',
    )
    if (!fits) {
      complete = false
      target = newest.number
    }
    await write(() => store.rollBack({ from, to: fits ? block : null, at: clock.now() })).finally(undone)
  }

  const lagSeconds = () => {
    const behind = synced ?? head
    return behind && Number(chainNow(clock) - behind.timestamp)
  }
  const isClockLagging = () => (lagSeconds() ?? 0) < -maxClockLagSeconds

  const noteClock = () => {
    if (isClockLagging() === clockLags) return
    clockLags = !clockLags
    if (clockLags) log.warn({ seconds: -(lagSeconds() ?? 0) }, 'system clock is behind the chain; correct it')
    else log.info({ seconds: lagSeconds() }, 'system clock agrees with the chain again')
  }

  const notePoll = (failed: boolean, startedAt: number) => {
    failedPolls = failed ? failedPolls + 1 : 0
    failedSince = failed ? (failedSince ?? startedAt) : null
  }

  const poll = async () => {
    const startedAt = clock.monotonic()
    await run(false).then(
      () => notePoll(apart, startedAt),
      (error: unknown) => {
        // A store failure says nothing about the node.
        if (!(error instanceof StorageUnavailableError)) notePoll(true, startedAt)
      },
    )
    if (!stopped) cancelTimer = clock.after(settings.intervalMs, () => void poll())
  }

  /** Runs a cycle on one node. If the chain moves to another node because this one failed, repeats it there at once. */
  const cycleOnNode = async (isAsked: boolean) => {
    for (let repeats = 0; ; repeats += 1) {
      pinned = chain.pin()
      try {
        return await cycle(isAsked)
      } catch (error) {
        const mayRepeat = error instanceof ChainUnavailableError && repeats < maxRepeats && !stopped
        if (!mayRepeat || chain.pin() === pinned) throw error
      }
    }
  }

  const attempt = async (isAsked: boolean) => {
    try {
      await cycleOnNode(isAsked)
      disagrees = false
      if (failures > 0) log.info({ failures }, 'resumed following the chain')
      failures = 0
      if (!apart) notePoll(false, 0)
      noteClock()
    } catch (err) {
      if (!stopped && failures % logFailureEvery === 0) log.warn({ err }, 'failed to follow the chain')
      failures += 1
      disagrees = err instanceof ChainDisagreesError
      await releaseLease()
      throw err
    } finally {
      cycled()
    }
  }

  const run = (isAsked: boolean): Promise<void> => {
    if (running) {
      if (!isAsked || running.isAsked || leads) return running.done
      // The running cycle may not be allowed to add blocks.
      return running.done.catch(() => {}).then(() => run(true))
    }
    const done = attempt(isAsked).finally(() => {
      running = null
    })
    running = { isAsked, done }
    return done
  }

  return {
    status() {
      const lag = lagSeconds()
      const age = lag ?? 0
      const isLong = failedSince !== null && clock.monotonic() - failedSince >= failingMs
      const failing = failedPolls >= failingPolls || isLong || disagrees
      const isDegraded = age > settings.headDegradedSeconds || isClockLagging() || failing
      const byAge = age > settings.headStaleSeconds ? 'stale' : isDegraded ? 'degraded' : 'ok'
      return { head, synced, lagSeconds: lag, failing, disagrees, state: complete ? byAge : 'starting' }
    },
    cycle: () => run(true),
    leads: () => leads,
    start() {
      void poll()
    },
    async stop() {
      stopped = true
      cancelTimer()
      await writing
      await releaseLease()
    },
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
