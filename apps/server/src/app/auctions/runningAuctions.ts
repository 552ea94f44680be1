import { type PublicRfqId, type RFQ, type RFQResult, toPublicRfqId } from '@firmquote/core'
import { LRUCache } from 'lru-cache'
import {
  type AuctionRecord,
  auctionEvents,
  auctionResult,
  type BestChoice,
  chooseBest,
} from '../../domain/auctionRecord.ts'
import { publicRfqId as publicIdOf } from '../../domain/rfqIds.ts'
import { OverloadedError } from '../../ports/errors.ts'
import type { Slot } from '../../ports/quotas.ts'
import type { AuctionKey, OpenedAuction } from '../../ports/store.ts'
import { createSlicedTask } from '../../scheduling/slicedTask.ts'
import type { JudgingDeps } from '../quotes/makerChecks.ts'
import type { DistanceNotifier } from './auctionDistances.ts'
import type { BackerSessions } from './backerSessions.ts'
import { onHint } from './hints.ts'
import {
  createLocalAuction,
  type FollowedAuction,
  type JoinedAuction,
  type LocalAuction,
  type LocalAuctionHost,
  seqOf,
} from './localAuction.ts'
import { createSubmissionJudge } from './submissionJudge.ts'

/** The auctions of the store that this instance takes part in. */
export type RunningAuctions = {
  /** Takes up what an earlier process has left open, and looks at the open auctions from now on. */
  resume(): Promise<void>
  /**
   * Writes the row of an auction that begins now, and starts it here; its place is released when it has ended. Null when this
   * instance has stopped meanwhile: then the next start takes it up.
   */
  open(
    record: AuctionRecord,
    key: AuctionKey | null,
    slot: Slot,
  ): Promise<{ opened: true; auction: LocalAuction } | Exclude<OpenedAuction, { opened: true }> | null>
  get(publicRfqId: PublicRfqId): LocalAuction | undefined
  /** Takes part in an auction that another instance has opened, or an earlier process; null when it is not open. */
  join(publicRfqId: PublicRfqId): Promise<LocalAuction | null>
  /** An auction of the store, open or closed, as its borrower follows it. */
  follow(id: RFQ['rfqId']): Promise<FollowedAuction | null>
  find(id: RFQ['rfqId']): Promise<RFQResult | null>
  count(): number
  /** Whether all have ended that were under way here when it began to stop. */
  isIdle(): boolean
  /** Leaves to other instances what is not under way here; quotes for it are taken all the same. */
  drain(): void
  isDraining(): boolean
  endFollowing(): void
  stop(): void
  isStopped(): boolean
}

/** How often an instance looks at the open auctions, in milliseconds: what a hint has not told, it sees then. */
const lookIntervalMs = 1_000
/** Of so many closed auctions it is kept what was best, so that it is not chosen again for everyone who reads them. */
const keptChoices = 1_000
/** An instance that has not opened an auction closes it so many milliseconds after the deadline, if nobody has. */
const closeDelaysMs = { least: 250, most: 1_000 }
/**
 * What is past its deadline at a start is left to the others for so many milliseconds, where there may be others: an instance
 * that lives sees it within a second, and has closed it a second later.
 */
const leftToOthersMs = 2_500

/**
 * Runs the auctions of one instance. The rows in the store decide what an auction has accepted and how it has ended, so any
 * number of instances may take part in it; messages over the bus only make them quick.
 *
 * @param onSettled is called whenever fewer auctions run here than before.
 */
export function createRunningAuctions(
  deps: JudgingDeps,
  {
    sessions,
    distances,
    onSettled,
  }: {
    sessions: BackerSessions
    distances: Pick<DistanceNotifier, 'closed'>
    onSettled: () => void
  },
): RunningAuctions {
  const { clock, store, bus, quotas, random, limits, log, observe, isShared = false } = deps
  const auctions = new Map<PublicRfqId, LocalAuction>()
  /** Auctions whose row is being written: they are not taken up from the store meanwhile. */
  const creating = new Set<PublicRfqId>()
  /** Auctions that are being read from the store, to take part in them. */
  const joining = new Map<PublicRfqId, Promise<LocalAuction | null>>()
  /** Ends what an auction takes up here: its borrower's count where it was opened here, and its taker's debt. */
  const releases = new Map<PublicRfqId, () => void>()
  /** The places of the auctions that were opened here. */
  const slots = new Map<PublicRfqId, Slot>()
  const choices = new LRUCache<PublicRfqId, BestChoice>({ max: keptChoices })
  /** What was under way here when this instance began to stop; null before. */
  let ending: ReadonlySet<PublicRfqId> | null = null
  let stopped = false
  let cancelLook = () => {}

  /** How many quotes the auctions have that accepted some in this turn of the event loop: of several of one the last is told. */
  const accepted = new Map<PublicRfqId, number>()
  const hintTurn = createSlicedTask(() => {
    for (const [publicRfqId, seq] of accepted) bus.publish('auction', JSON.stringify({ publicRfqId, seq }))
    accepted.clear()
  })

  const host: LocalAuctionHost = {
    deps,
    judge: createSubmissionJudge(deps),
    lifetime: { min: limits.minQuoteLifetimeSeconds, max: limits.maxQuoteLifetimeSeconds },
    announce: (effect) => {
      if (effect.subject === 'rfq') return sessions.broadcastRfq(effect.rfq)
      const { rfqId, quoteCount } = effect.outcome
      sessions.broadcastOutcome(effect.outcome)
      if (quoteCount > 1) distances.closed(rfqId)
    },
    abandoned: (publicRfqId) => {
      void slots
        .get(publicRfqId)
        ?.abandon()
        .then((isFree) => isFree && observe?.auctionAbandoned?.())
    },
    accepted(publicRfqId, seq) {
      accepted.set(publicRfqId, Math.max(seq, accepted.get(publicRfqId) ?? 0))
      hintTurn.schedule()
    },
    ended({ publicRfqId }, record, outcome) {
      auctions.delete(publicRfqId)
      releases.get(publicRfqId)?.()
      releases.delete(publicRfqId)
      slots.delete(publicRfqId)
      if (record.best) choices.set(publicRfqId, record.best)
      observe?.auctionClosed(record.close?.interrupted ? 'interrupted' : 'done')
      // Backers of this instance hear the outcome even if the message of the instance that has closed it is lost.
      sessions.tellOutcome(outcome)
      onSettled()
    },
  }

  onHint(bus, 'auction', ({ publicRfqId, seq }) => {
    const auction = auctions.get(publicRfqId)
    if (auction && auction.state().acceptedCount < seq) auction.readRows()
  })
  // Told by the instance that has closed it: a borrower who follows it here need not wait for the next look.
  onHint(bus, 'auction_result', ({ rfqId }) => {
    const auction = auctions.get(rfqId)
    if (!auction) return
    // Before its end by this clock it is not believed: the rows are asked, and until they answer quotes are taken.
    if (auction.state().rfq.closesAt <= clock.now()) auction.close()
    else auction.readRows()
  })

  const start = (arrival: JoinedAuction): LocalAuction => {
    const auction = createLocalAuction(host, arrival)
    auctions.set(auction.publicRfqId, auction)
    return auction
  }

  const join = (publicRfqId: PublicRfqId, resumed = false): Promise<LocalAuction | null> => {
    const running = auctions.get(publicRfqId)
    if (running) return Promise.resolve(running)
    const known = joining.get(publicRfqId)
    if (known) return known
    const joined = (async () => {
      const record = await store.findAuction({ publicRfqId })
      // It may have been opened here while its row was read.
      const opened = auctions.get(publicRfqId)
      if (opened) return opened
      if (stopped || !record || record.close) return null
      const isPast = record.rfq.closesAt <= clock.now()
      const interrupted = resumed && isPast
      releases.set(publicRfqId, quotas.restore(record.rfq))
      const closeDelayMs = resumed && !isShared ? 0 : interrupted ? leftToOthersMs : closeDelay()
      const auction = start({ record, announced: false, closeDelayMs, interrupted })
      // Nobody could quote any more.
      if (!isPast) sessions.tellRfq({ ...record.rfq, rfqId: toPublicRfqId(publicRfqId) })
      return auction
    })().finally(() => joining.delete(publicRfqId))
    joining.set(publicRfqId, joined)
    return joined
  }

  const withBest = (record: AuctionRecord): AuctionRecord => {
    if (!record.close) return record
    const best = choices.get(record.publicRfqId) ?? chooseBest(record)
    choices.set(record.publicRfqId, best)
    return { ...record, best }
  }

  const closeDelay = () => {
    const { least, most } = closeDelaysMs
    return least + ((random(1)[0] ?? 0) / 256) * (most - least)
  }

  const poll = async (): Promise<void> => {
    // What was opened here since is not in the answer.
    const before = [...auctions.values()]
    const open = new Map((await store.listOpenAuctions()).map((row) => [row.publicRfqId, row]))
    if (stopped) return
    for (const auction of before) {
      const row = open.get(auction.publicRfqId)
      if (!row) auction.close()
      else if (row.lastSeq > auction.state().acceptedCount) auction.readRows()
    }
    const others = ending ? [] : [...open.keys()].filter((publicRfqId) => !creating.has(publicRfqId))
    await Promise.all(others.map((publicRfqId) => join(publicRfqId)))
  }

  const scheduleLook = () => {
    if (stopped) return
    cancelLook = clock.after(lookIntervalMs, () => {
      // While writing fails nothing can have changed here, and reads say so themselves.
      void poll()
        .catch((err: unknown) => log.warn({ err }, 'the open auctions could not be read'))
        .finally(scheduleLook)
    })
  }

  return {
    async resume() {
      const open = await store.listOpenAuctions()
      await Promise.all(open.map(({ publicRfqId }) => join(publicRfqId, true)))
      if (open.length > 0) log.info({ auctions: open.length }, 'open auctions of an earlier process are taken up again')
      scheduleLook()
    },

    async open(record, key, slot) {
      const { rfq, publicRfqId, backers } = record
      const startedAt = clock.monotonic()
      creating.add(publicRfqId)
      try {
        const written = await store.openAuction({ rfq, publicRfqId, backers, key })
        if (!written.opened) return written
        if (stopped) return null
        const { seriesKey, notional } = rfq
        log.info({ rfqId: publicRfqId, seriesKey, notional: String(notional), backers }, 'auction opened')
        observe?.auctionOpened()
        releases.set(publicRfqId, slot.release)
        slots.set(publicRfqId, slot)
        return {
          opened: true,
          auction: start({ record, announced: true, closeDelayMs: 0, interrupted: false, startedAt }),
        }
      } finally {
        creating.delete(publicRfqId)
        onSettled()
      }
    },

    get: (publicRfqId) => auctions.get(publicRfqId),

    join,

    async follow(id) {
      const publicRfqId = publicIdOf(id)
      const running = auctions.get(publicRfqId)
      if (running) return running.state().rfq.rfqId === id ? running.follow() : null
      const record = await store.findAuction({ rfqId: id })
      if (!record) return null
      if (record.close) return closedAuction(withBest(record))
      const joined = await join(publicRfqId)
      if (joined) return joined.follow()
      const closed = await store.findAuction({ rfqId: id })
      // Open, but not taken up: this instance stops.
      if (closed?.close === null) throw new OverloadedError()
      return closed && closedAuction(withBest(closed))
    },

    async find(id) {
      const running = auctions.get(publicIdOf(id))
      const own = running?.state().rfq.rfqId === id ? running : null
      own?.touch()
      // Once its time is over its result may have been told elsewhere: no instance may say then that it is open.
      if (own && !own.isDue()) return own.result()
      const record = await store.findAuction({ rfqId: id })
      if (record?.close === null && own) return own.result()
      return record && auctionResult(withBest(record))
    },

    count: () => auctions.size,
    isIdle: () => [...(ending ?? [])].every((publicRfqId) => !auctions.has(publicRfqId) && !creating.has(publicRfqId)),
    drain() {
      ending ??= new Set([...auctions.keys(), ...creating])
    },
    isDraining: () => ending !== null,
    endFollowing() {
      for (const auction of auctions.values()) auction.endFollowing()
    },
    stop() {
      ending ??= new Set()
      stopped = true
      cancelLook()
      for (const auction of auctions.values()) auction.stop()
      auctions.clear()
    },
    isStopped: () => stopped,
  }
}

/** A closed auction: everything about it is known. */
function closedAuction(record: AuctionRecord): FollowedAuction {
  const { rfq, backers } = record
  return {
    rfq,
    backers,
    listen(listener, behind = -1) {
      for (const event of auctionEvents(record)) if (seqOf(event) > behind) listener.event(event)
      listener.end()
      return () => {}
    },
    result: async () => auctionResult(record),
  }
}
