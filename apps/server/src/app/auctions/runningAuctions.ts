import { type PublicRfqId, type RFQ, type RFQResult, toPublicRfqId } from '@firmquote/core'
import { LRUCache } from 'lru-cache'
import { bytesToHex } from 'viem'
import {
  type AuctionRecord,
  auctionEvents,
  auctionResult,
  type BestChoice,
  chooseBest,
  resultWithStatuses,
} from '../../domain/auctionRecord.ts'
import { publicRfqId as publicIdOf } from '../../domain/rfqIds.ts'
import { auctionSecretBytes } from '../../domain/transcript.ts'
import { OverloadedError } from '../../ports/errors.ts'
import type { Slot } from '../../ports/quotas.ts'
import type { AuctionKey, OpenedAuction } from '../../ports/store.ts'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { createSubmissionJudge } from '../quotes/judgeQuote.ts'
import type { JudgingDeps } from '../quotes/makerChecks.ts'
import { ageOf } from './ageOf.ts'
import type { AnswerCounts } from './answerCounts.ts'
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

/** The open auctions that this instance participates in. */
export type RunningAuctions = {
  /** Joins the auctions that a previous process left open and starts polling for open auctions. */
  resume(): Promise<void>
  /**
   * Writes a new auction's row and starts the auction here. The auction's slot is released when the auction ends.
   * Resolves to null if this instance has stopped since; it resumes the auction at its next start.
   */
  open(
    record: AuctionRecord,
    key: AuctionKey | null,
    slot: Slot,
  ): Promise<{ opened: true; auction: LocalAuction } | Exclude<OpenedAuction, { opened: true }> | null>
  get(publicRfqId: PublicRfqId): LocalAuction | undefined
  /** Joins an auction opened by another instance or a previous process; null if it is not open. */
  join(publicRfqId: PublicRfqId): Promise<LocalAuction | null>
  /** Finds an auction, open or closed, for its borrower to follow. */
  follow(id: RFQ['rfqId']): Promise<FollowedAuction | null>
  find(id: RFQ['rfqId']): Promise<RFQResult | null>
  count(): number
  /** Whether every auction that was running when the drain began has ended. */
  isIdle(): boolean
  /**
   * Stops joining auctions, which are left to other instances. Quotes for auctions that are not running here are still
   * accepted.
   */
  drain(): void
  isDraining(): boolean
  endFollowing(): void
  stop(): void
  isStopped(): boolean
}

/** Milliseconds between polls for open auctions, which find auctions whose hint was lost. */
const pollIntervalMs = 1_000
/** Capacity of the cache of closed auctions' best quotes. */
const maxChoices = 1_000
/**
 * Milliseconds after the deadline before an instance closes an auction it did not open, unless it is already closed.
 */
const closeDelaysMs = { min: 250, max: 1_000 }
/**
 * Milliseconds for which a newly started instance leaves overdue auctions to other instances. A live instance notices
 * an overdue auction within a second and closes it within another.
 */
const overdueGraceMs = 2_500

/**
 * Creates one instance's auctions. The rows in the store determine which quotes an auction has accepted and how it
 * ended, so any number of instances may join it. Bus messages only reduce latency.
 *
 * @param onSettled called whenever an auction ends here or an attempt to open one finishes.
 */
export function createRunningAuctions(
  deps: JudgingDeps,
  {
    sessions,
    distances,
    answers,
    onSettled,
  }: {
    sessions: BackerSessions
    distances: Pick<DistanceNotifier, 'closed'>
    answers: Pick<AnswerCounts, 'quoted' | 'count'>
    onSettled: () => void
  },
): RunningAuctions {
  const { clock, store, bus, quotas, random, limits, log, observe, proofs, isShared = false } = deps
  const auctions = new Map<PublicRfqId, LocalAuction>()
  /** Auctions whose rows are being written; polls do not join these auctions. */
  const creating = new Set<PublicRfqId>()
  /** Auctions whose rows this instance is reading in order to join them. */
  const joining = new Map<PublicRfqId, Promise<LocalAuction | null>>()
  /**
   * Functions that release an auction's quotas, the borrower's slot (if opened here) and the taker's debt, when it
   * ends.
   */
  const releases = new Map<PublicRfqId, () => void>()
  /** The slots of auctions opened here. */
  const slots = new Map<PublicRfqId, Slot>()
  const choices = new LRUCache<PublicRfqId, BestChoice>({ max: maxChoices })
  /** Auctions that were running here when the drain began; null before then. */
  let draining: ReadonlySet<PublicRfqId> | null = null
  let stopped = false
  /** When this instance was ready for backers, on its monotonic clock. */
  let readyAt = Number.POSITIVE_INFINITY
  let cancelPoll = () => {}

  /**
   * The latest `seq` of each auction that accepted quotes in this slice, so that several quotes send only one hint.
   */
  const accepted = new Map<PublicRfqId, number>()
  const sendHints = createSlicedTask(() => {
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
      sendHints.schedule()
    },
    quoted: (publicRfqId, maker) => answers.quoted(publicRfqId, maker.toLowerCase()),
    countAnswers: answers.count,
    ended({ publicRfqId }, record, outcome) {
      auctions.delete(publicRfqId)
      releases.get(publicRfqId)?.()
      releases.delete(publicRfqId)
      slots.delete(publicRfqId)
      if (record.best) choices.set(publicRfqId, record.best)
      observe?.auctionClosed(record.close?.interrupted ? 'interrupted' : 'done')
      // In case the closing instance's message is lost.
      sessions.sendOutcome(outcome)
      onSettled()
    },
  }

  onHint(bus, 'auction', ({ publicRfqId, seq }) => {
    const auction = auctions.get(publicRfqId)
    if (auction && auction.state().acceptedCount < seq) auction.readRows()
  })
  // Borrowers who follow the auction here need not wait for the next poll.
  onHint(bus, 'auction_result', ({ rfqId }) => {
    const auction = auctions.get(rfqId)
    if (!auction) return
    // If the deadline has not passed on this clock, do not trust the message: wait for the rows, and accept quotes
    // until then.
    if (auction.isDue()) auction.close()
    else auction.readRows()
  })

  const start = (joined: JoinedAuction): LocalAuction => {
    const auction = createLocalAuction(host, joined)
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
      // The auction may have been opened here while its row was being read.
      const opened = auctions.get(publicRfqId)
      if (opened) return opened
      if (stopped || !record || record.close) return null
      const { openedAt, closesAt } = record.rfq
      const leftMs = closesAt - openedAt - Math.max(0, ageOf(clock, openedAt))
      const isPast = leftMs <= 0
      const endsAt = clock.monotonic() + leftMs
      releases.set(publicRfqId, quotas.restore(record.rfq))
      const closeDelayMs = resumed && !isShared ? 0 : resumed && isPast ? overdueGraceMs : closeDelay()
      // Next to other instances, one of them may have been ready at the deadline.
      const isInterrupted = () => resumed && (isPast || (!isShared && endsAt < readyAt))
      const auction = start({ record, announced: false, closeDelayMs, isInterrupted })
      // No backer can quote after the deadline.
      if (!isPast) sessions.sendRfq({ ...record.rfq, rfqId: toPublicRfqId(publicRfqId) })
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

  const newSecret = () => bytesToHex(random(auctionSecretBytes))

  const closeDelay = () => {
    const { min, max } = closeDelaysMs
    return min + ((random(1)[0] ?? 0) / 256) * (max - min)
  }

  const poll = async (): Promise<void> => {
    // The list may lack an auction opened on this instance during the read.
    const before = [...auctions.values()]
    const open = new Map((await store.listOpenAuctions()).map((row) => [row.publicRfqId, row]))
    if (stopped) return
    for (const auction of before) {
      const row = open.get(auction.publicRfqId)
      if (!row) auction.close()
      else if (row.lastSeq > auction.state().acceptedCount) auction.readRows()
    }
    const others = draining ? [] : [...open.keys()].filter((publicRfqId) => !creating.has(publicRfqId))
    await Promise.all(others.map((publicRfqId) => join(publicRfqId)))
  }

  const schedulePoll = () => {
    if (stopped) return
    cancelPoll = clock.after(pollIntervalMs, () => {
      void poll()
        .catch((err: unknown) => log.warn({ err }, 'failed to read the open auctions'))
        .finally(schedulePoll)
    })
  }

  return {
    async resume() {
      const open = await store.listOpenAuctions()
      await Promise.all(open.map(({ publicRfqId }) => join(publicRfqId, true)))
      readyAt = clock.monotonic()
      if (open.length > 0) log.info({ auctions: open.length }, 'resumed open auctions from a previous process')
      schedulePoll()
    },

    async open(record, key, slot) {
      const { rfq, publicRfqId, backers } = record
      const startedAt = clock.monotonic()
      creating.add(publicRfqId)
      try {
        const written = await store.openAuction({
          rfq,
          publicRfqId,
          backers,
          key,
          ...(proofs && { secret: newSecret() }),
        })
        if (!written.opened) return written
        if (stopped) return null
        const { seriesKey, notional } = rfq
        log.info({ rfqId: publicRfqId, seriesKey, notional: String(notional), backers }, 'auction opened')
        observe?.auctionOpened()
        releases.set(publicRfqId, slot.release)
        slots.set(publicRfqId, slot)
        return {
          opened: true,
          auction: start({ record, announced: true, closeDelayMs: 0, isInterrupted: () => false, startedAt }),
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
      // The auction is open but was not joined, because this instance is stopping.
      if (closed?.close === null) throw new OverloadedError()
      return closed && closedAuction(withBest(closed))
    },

    async find(id) {
      const running = auctions.get(publicIdOf(id))
      const own = running?.state().rfq.rfqId === id ? running : null
      own?.touch()
      try {
        const record = await store.findAuction({ rfqId: id })
        // Only this instance knows how many quotes it has rejected.
        const rejectedCount = own?.state().rejectedCount
        return record && resultWithStatuses(withBest(record), rejectedCount)
      } catch (error) {
        // After the deadline, another instance may have published the result, so no instance may report the auction as
        // open.
        if (own && !own.isDue()) return own.result()
        throw error
      }
    },

    count: () => auctions.size,
    isIdle: () =>
      [...(draining ?? [])].every((publicRfqId) => !auctions.has(publicRfqId) && !creating.has(publicRfqId)),
    drain() {
      draining ??= new Set([...auctions.keys(), ...creating])
    },
    isDraining: () => draining !== null,
    endFollowing() {
      for (const auction of auctions.values()) auction.endFollowing()
    },
    stop() {
      draining ??= new Set()
      stopped = true
      cancelPoll()
      for (const auction of auctions.values()) auction.stop()
      auctions.clear()
    },
    isStopped: () => stopped,
  }
}

/** Creates a followed auction from a closed auction's record, which contains all of its events. */
function closedAuction(record: AuctionRecord): FollowedAuction {
  const { rfq, backers } = record
  return {
    rfq,
    backers,
    listen(listener, after = -1) {
      for (const event of auctionEvents(record)) if (seqOf(event) > after) listener.event(event)
      listener.end()
      return () => {}
    },
    result: async () => auctionResult(record),
  }
}
