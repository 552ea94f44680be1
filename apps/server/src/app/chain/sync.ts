// Why: docs/decisions/0049-one-instance-follows-the-chain.md
import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import { bytesToHex, type Hex } from 'viem'
import { type ChainPoint, fitsBlocks, isConnected, planSync, type SyncStep } from '../../domain/followChain.ts'
import { accountsFor, mayContain } from '../../domain/logsBloom.ts'
import { watchedLogs } from '../../domain/watchedLogs.ts'
import type { BlockHeader, ChainEvent } from '../../ports/chain.ts'
import { CursorMovedError, StorageUnavailableError } from '../../ports/errors.ts'
import type { SyncedBlock, SyncPosition } from '../../ports/store.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { chainNow } from './chainNow.ts'

/** The progress of the sync. */
export type SyncStatus = {
  /** The newest block that the node has reported. */
  head: BlockRef | null
  /** The newest block whose events are in the store. */
  synced: BlockRef | null
  /** Age of the newest synced block, or of the head while there is none, in seconds; negative where this clock is behind. */
  lagSeconds: number | null
  /**
   * Whether several polls of the node have failed in a row, or it has not had what is in the store since the poll before, or
   * has other blocks in its place: what it says may be long over.
   */
  failing: boolean
  /**
   * `starting` until the store has reached the node's head for the first time; then by age, by the clock, and by how the node
   * answers. While `stale` the service takes no new quotes and opens no auctions, while `failing` no auctions.
   */
  state: 'starting' | 'ok' | 'degraded' | 'stale'
}

/** What the sync calls back. */
export type SyncListener = {
  /** After each write. It may have been done also where that is not known. */
  written?(): void
  /** After blocks were undone, or may have been. */
  undone?(): void
  /** After each cycle, also one that has failed. */
  cycled?(): void
}

/**
 * Follows the chain's events into the store. Of the instances that share a store, the one with the lease reads them and undoes
 * what a reorganisation has undone; the others take what is in the store, and read their own node's head. The lease spares
 * the reading: that every write is right is due to the store's cursor, which each write names.
 */
export type Sync = {
  status(): SyncStatus
  /**
   * Brings the store up to the node's head. Concurrent calls share one cycle. Without the lease it adds what is near the head,
   * and undoes nothing.
   *
   * @throws {ChainUnavailableError} when the node does not answer, or its answers contradict each other. What was applied
   * before is correct, and the next cycle continues from there.
   * @throws {StorageUnavailableError} when the store cannot write what was read.
   */
  cycle(): Promise<void>
  /** Whether this instance had the lease when it asked last. */
  leads(): boolean
  /** Starts polling the node. */
  start(): void
  /** Stops polling and gives up the lease; resolves when the last write has ended. */
  stop(): Promise<void>
}

/** So many polls that fail in a row count as a node that cannot be trusted to be up to date. */
const failingPolls = 3
/** A clock that is so many seconds behind the chain takes deadlines for later than they are. */
const mostBehindSeconds = 30
/** How many blocks one step reads with their headers. */
const stepBlocks = 100n
const progressEveryMs = 5_000
/** The lease outlasts the next poll by so many milliseconds. An instance that is gone is followed by another after that. */
const leaseReserveMs = 3_000
/** While a node is unavailable, one in so many failed cycles is logged. */
const logFailureEvery = 60

type Deps = Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'random' | 'domain' | 'interestRatePool' | 'log' | 'sync'>

/** Creates the sync; it reads nothing before its first cycle. */
export function createSync(
  { chain, clock, store, random, domain, interestRatePool, log, sync: settings }: Deps,
  { written = () => {}, undone = () => {}, cycled = () => {} }: SyncListener = {},
): Sync {
  const deployBlock = BigInt(settings.deployBlock)
  const readSingly = BigInt(settings.readSingly ?? 1_000)
  // One more than the depth: the common block is needed too.
  const keptBlocks = (settings.reorgWindow ?? 64) + 1
  const watched = watchedLogs({ quoteMarket: domain.quoteMarket, interestRatePool })
  const holder = bytesToHex(random(16))
  const leaseMs = settings.intervalMs + leaseReserveMs
  let head: BlockRef | null = null
  let synced: BlockRef | null = null
  /** The store was up to date once it has reached this block, the node's newest when this instance first asked; null before. */
  let target: bigint | null = null
  let complete = false
  let stopped = false
  let leads = false
  /** The node lacks what was in the store a poll ago, or has other blocks in its place. */
  let apart = false
  /** Since when the node has had blocks after this cursor of the store. */
  let ahead: { cursor: Hex | null; since: number } | null = null
  let failures = 0
  /** Only polls count: cycles are asked for by anyone who names a series that is not there. */
  let failedPolls = 0
  let clockBehind = false
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
      // Another instance was quicker: it is read again where the store stands.
      if (!(error instanceof CursorMovedError)) throw error
    } finally {
      written()
    }
  }

  /**
   * Takes the lease or keeps it. A holder whose node fails or stands still only has it while nobody else wants it.
   */
  const lead = async () => {
    const isOld = complete && (lagSeconds() ?? 0) > settings.headDegradedSeconds
    const isWell = failures === 0 && !apart && !isOld
    leads = !stopped && (await store.holdLease(holder, isWell ? leaseMs : 0))
    return leads
  }

  const giveUpLease = async () => {
    if (!leads) return
    leads = false
    // Where it cannot be given up, it runs out.
    await store.holdLease(holder, 0).catch(() => {})
  }

  const cycle = async (isAsked: boolean) => {
    const before = synced
    const newest = await chain.readHead()
    head = newest
    target ??= newest.number
    const answers = new Map<bigint, Hex>()
    let checked = false
    while (!stopped) {
      // Before each step: many of them take longer than the lease lasts.
      await lead()
      const position = await store.findSyncPosition()
      synced = position.cursor
      const step = planSync({ ...position, kept: position.blocks, head: newest, answers, deployBlock })
      noteProgress(step, newest)
      if (step.do === 'readBlock') {
        const [block] = await chain.readBlocks([step.number])
        if (block) answers.set(block.number, block.hash)
        continue
      }
      const lacks = ({ number }: BlockRef) => newest.number < number
      apart =
        step.do === 'wait' ? [before, synced].every((block) => block && lacks(block)) : !leads && step.do !== 'follow'
      if (step.do === 'wait' || apart || !(leads || mayAdd(step, newest, isAsked))) return
      // A node on another chain must neither add anything nor undo it.
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
    if (complete && !wasComplete) log.info({ block: Number(synced?.number ?? newest.number) }, 'the chain is synced')
  }

  /**
   * Whether this instance adds blocks without the lease: where it is asked to, or has only begun (the lease may be that of a
   * process that has ended), or the holder has not added them for as long as a lease lasts. A long way is the holder's alone.
   */
  const mayAdd = (step: SyncStep, newest: BlockHeader, isAsked: boolean) => {
    if (step.do !== 'follow') return false
    const cursor = synced?.hash ?? null
    if (ahead?.cursor !== cursor) ahead = { cursor, since: clock.monotonic() }
    const isLeft = clock.monotonic() - ahead.since >= leaseMs
    return (isAsked || isLeft || !complete) && newest.number - step.from < readSingly
  }

  const checkChainId = async () => {
    const chainId = await chain.readChainId()
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
      log.info({ block: Number(cursor.number), head: Number(newest.number) }, 'the chain is being synced')
    }
  }

  /** Reads blocks far below the head: their events, and only the headers that prove where those are. */
  const readFar = async (from: bigint, to: bigint) => {
    const { through, events } = await chain.readEvents({ from, to })
    if (events.length === 0) {
      // No header can show that events are missing, so an empty answer is read twice.
      const again = await chain.readEvents({ from, to: through })
      if (again.events.length > 0) throw new ChainUnavailableError('The node left out events.')
    }
    const numbers = new Set(events.map(({ blockNumber }) => blockNumber)).add(through)
    const blocks = await chain.readBlocks([...numbers].sort((a, b) => Number(a - b)))
    if (!fitsBlocks(events, blocks)) throw new ChainUnavailableError('The node gave events of other blocks.')
    return { blocks: blocks.slice(-1), events }
  }

  /** Reads blocks near the head, each with its header, which shows missing events and another chain. */
  const readNear = async (cursor: ChainPoint | null, from: bigint, newest: BlockHeader) => {
    const last = from + stepBlocks - 1n
    const to = last < newest.number ? last : newest.number
    const { through, events } = await chain.readEvents({ from, to })
    const numbers: bigint[] = []
    for (let number = from; number <= through; number += 1n) if (number !== newest.number) numbers.push(number)
    const blocks = await chain.readBlocks(numbers)
    if (through === newest.number) blocks.push(newest)
    if (!isConnected(cursor, blocks)) throw new ChainUnavailableError('The chain has moved while it was read.')
    const found = [...events]
    const withEvents = new Set(events.map(({ blockNumber }) => blockNumber))
    for (const block of blocks) {
      if (!withEvents.has(block.number)) found.push(...(await readMissing(block)))
    }
    if (!fitsBlocks(found, blocks)) throw new ChainUnavailableError('The node gave events of other blocks.')
    return { blocks, events: found }
  }

  /**
   * The events of a block that has none by the node's answer. Where the block's bloom filter contradicts that, all its logs
   * are read, and they must produce the filter: then it was a false positive, or the node had left events out.
   */
  const readMissing = async (block: BlockHeader): Promise<ChainEvent[]> => {
    if (!watched.some(({ address, topics }) => mayContain(block.logsBloom, address, topics))) return []
    const { logs, events } = await chain.readBlockLogs(block.hash)
    if (!accountsFor(logs, block.logsBloom)) throw new ChainUnavailableError('The node left out events.')
    return events
  }

  const rollBack = async (from: SyncedBlock | null, { number, hash }: ChainPoint) => {
    const [block] = await chain.readBlocks([number])
    if (block?.hash !== hash) throw new ChainUnavailableError('The chain has moved while it was read.')
    log.warn({ from: Number(synced?.number), to: Number(number) }, 'the chain was reorganised')
    await write(() => store.rollBack({ from, to: block, at: clock.now() })).finally(undone)
  }

  /** The chains part below all recent blocks: continues from a finalized block, or from nothing. */
  const resync = async (from: SyncedBlock | null, newest: BlockHeader) => {
    const finalized = await chain.readFinalized()
    const checkpoint = finalized && (await store.findCheckpoint(min(finalized.number, newest.number)))
    const [block] = checkpoint ? await chain.readBlocks([checkpoint.number]) : []
    const fits = block !== undefined && block.hash === checkpoint?.hash
    log.warn(
      { from: Number(synced?.number), to: fits ? Number(block.number) : null },
      'the chain was reorganised deeper than is remembered; it is synced again',
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
  const isClockBehind = () => (lagSeconds() ?? 0) < -mostBehindSeconds

  const noteClock = () => {
    if (isClockBehind() === clockBehind) return
    clockBehind = !clockBehind
    if (clockBehind)
      log.warn({ seconds: -(lagSeconds() ?? 0) }, 'the clock of this machine is behind the chain; set it')
    else log.info({ seconds: lagSeconds() }, 'the clock of this machine fits the chain again')
  }

  const poll = async () => {
    await run(false).then(
      () => {
        failedPolls = apart ? failedPolls + 1 : 0
      },
      (error: unknown) => {
        // A store that cannot write says nothing about the node.
        if (!(error instanceof StorageUnavailableError)) failedPolls += 1
      },
    )
    if (!stopped) cancelTimer = clock.after(settings.intervalMs, () => void poll())
  }

  const attempt = async (isAsked: boolean) => {
    try {
      await cycle(isAsked)
      if (failures > 0) log.info({ failures }, 'the chain is followed again')
      failures = 0
      if (!apart) failedPolls = 0
      noteClock()
    } catch (err) {
      if (!stopped && failures % logFailureEvery === 0) log.warn({ err }, 'the chain could not be followed')
      failures += 1
      await giveUpLease()
      throw err
    } finally {
      cycled()
    }
  }

  const run = (isAsked: boolean): Promise<void> => {
    if (running) {
      if (!isAsked || running.isAsked || leads) return running.done
      // What runs may add nothing.
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
      const failing = failedPolls >= failingPolls
      const isDegraded = age > settings.headDegradedSeconds || isClockBehind() || failing
      const byAge = age > settings.headStaleSeconds ? 'stale' : isDegraded ? 'degraded' : 'ok'
      return { head, synced, lagSeconds: lag, failing, state: complete ? byAge : 'starting' }
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
      await giveUpLease()
    },
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
