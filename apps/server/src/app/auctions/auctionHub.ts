import { type PublicRfqId, type RFQ, type RFQRequest, type SignedQuote, toPublicRfqId } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { type AuctionRecord, auctionEvents, auctionOutcome, auctionResult } from '../../domain/auctionRecord.ts'
import { formatRfqId, publicRfqId as publicIdOf, rfqIdBytes } from '../../domain/rfqIds.ts'
import type { Series } from '../../ports/chain.ts'
import { OverloadedError, StorageUnavailableError } from '../../ports/errors.ts'
import { type AuctionKey, keyLifetimeMs } from '../../ports/store.ts'
import { nextTurn } from '../../scheduling/turnTask.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { Sync } from '../chain/sync.ts'
import type {
  AuctionHub,
  FollowedAuction,
  OpenRefusal,
  Outcome,
  Requester,
  StorageWatch,
  SubmissionVerdict,
} from '../service.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { hashKey } from './auctionKey.ts'
import { createBackerSessions } from './backerSessions.ts'
import { type Arrival, createLocalAuction, type LocalAuction, type LocalAuctionHost, seqOf } from './localAuction.ts'
import { createRequestLimiter } from './requestLimiter.ts'
import { resolveSeries } from './resolveSeries.ts'
import { createSubmissionJudge } from './submissionJudge.ts'

/** How often an instance looks at the open auctions, in milliseconds: what a hint has not told, it sees then. */
const lookIntervalMs = 1_000
/** An instance that has not opened an auction closes it so many milliseconds after the deadline, if nobody has. */
const closeDelaysMs = { least: 250, most: 1_000 }

type OpenOutcome = Outcome<FollowedAuction, OpenRefusal>

/**
 * Runs the auctions. The rows in the store decide what an auction has accepted and how it has ended, so any number of
 * instances may take part in it; messages over the bus only make them quick.
 */
export function createAuctionHub(
  deps: ServiceDeps,
  { sync, storage }: { sync: Pick<Sync, 'status' | 'cycle'>; storage: Pick<StorageWatch, 'isWritable'> },
): AuctionHub {
  const { clock, store, bus, random, signatures, limits, auctionDurationMs, log, observe } = deps
  const auctions = new Map<PublicRfqId, LocalAuction>()
  /** Auctions whose row is being written: they are not taken up from the store meanwhile. */
  const creating = new Set<PublicRfqId>()
  /** Auctions that are being read from the store, to take part in them. */
  const joining = new Map<PublicRfqId, Promise<LocalAuction | null>>()
  /** Ends the count of an auction against who has opened it here. */
  const releases = new Map<PublicRfqId, () => void>()
  /** Requests with a key that are being answered: the same key at the same time is one request. */
  const opening = new Map<string, { request: string; outcome: Promise<OpenOutcome> }>()
  const acks = new Map<number, { hash: Hex; resolve(verdict: SubmissionVerdict): void }>()
  const drained: (() => void)[] = []
  const sessions = createBackerSessions({ bus, clock })
  const limiter = createRequestLimiter(clock, limits)
  const lifetime = { min: limits.minQuoteLifetimeSeconds, max: limits.maxQuoteLifetimeSeconds }
  let submissions = 0
  /** How many quotes have no answer yet. */
  let answering = 0
  let draining = false
  let stopped = false
  let cancelLook = () => {}

  const host: LocalAuctionHost = {
    deps,
    judge: createSubmissionJudge(deps),
    lifetime,
    announce: (effect) => {
      if (effect.subject === 'rfq') sessions.broadcastRfq(effect.rfq)
      else sessions.broadcastOutcome(effect.outcome)
    },
    answer: (submission, verdict) => {
      acks.get(submission)?.resolve(verdict)
      acks.delete(submission)
    },
    accepted: (publicRfqId, seq) => bus.publish('auction', JSON.stringify({ publicRfqId, seq })),
    ended({ publicRfqId }, record) {
      auctions.delete(publicRfqId)
      releases.get(publicRfqId)?.()
      releases.delete(publicRfqId)
      observe?.auctionClosed(record.close?.interrupted ? 'interrupted' : 'done')
      // Backers of this instance hear the outcome even if the message of the instance that has closed it is lost.
      if (record.close) sessions.tellOutcome(auctionOutcome(record, record.close))
      checkDrained()
    },
  }

  bus.subscribe('auction', (payload) => {
    const { publicRfqId, seq } = JSON.parse(payload) as { publicRfqId: PublicRfqId; seq: number }
    const auction = auctions.get(publicRfqId)
    if (auction && auction.state().acceptedCount < seq) auction.readRows()
  })
  // Told by the instance that has closed it: who follows it here need not wait for the next look.
  bus.subscribe('auction_result', (payload) => {
    auctions.get((JSON.parse(payload) as { rfqId: PublicRfqId }).rfqId)?.close()
  })

  const checkDrained = () => {
    if (!draining || auctions.size + creating.size + answering > 0) return
    for (const resolve of drained.splice(0)) resolve()
  }

  const start = (arrival: Arrival): LocalAuction => {
    const auction = createLocalAuction(host, arrival)
    auctions.set(auction.publicRfqId, auction)
    return auction
  }

  /** Takes part in an open auction that another instance has opened, or an earlier process; null when it is not open. */
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
      const auction = start({ record, announced: false, closeDelayMs: resumed ? 0 : closeDelay(), interrupted })
      // Nobody could quote any more.
      if (!isPast) sessions.tellRfq({ ...record.rfq, rfqId: toPublicRfqId(publicRfqId) })
      return auction
    })().finally(() => joining.delete(publicRfqId))
    joining.set(publicRfqId, joined)
    return joined
  }

  const closeDelay = () => {
    const { least, most } = closeDelaysMs
    return least + ((random(1)[0] ?? 0) / 256) * (most - least)
  }

  const look = async (): Promise<void> => {
    // What was opened here since is not in the answer.
    const before = [...auctions.values()]
    const open = new Map((await store.listOpenAuctions()).map((row) => [row.publicRfqId, row]))
    if (stopped) return
    for (const auction of before) {
      const row = open.get(auction.publicRfqId)
      if (!row) auction.close()
      else if (row.lastSeq > auction.state().acceptedCount) auction.readRows()
    }
    // While this instance drains, it leaves to others what is not under way here.
    const others = draining ? [] : [...open.keys()].filter((publicRfqId) => !creating.has(publicRfqId))
    await Promise.all(others.map((publicRfqId) => join(publicRfqId)))
  }

  const scheduleLook = () => {
    if (stopped) return
    cancelLook = clock.after(lookIntervalMs, () => {
      // While writing fails nothing can have changed here, and reads say so themselves.
      void look()
        .catch((err: unknown) => log.warn({ err }, 'the open auctions could not be read'))
        .finally(scheduleLook)
    })
  }

  /** An auction of the store, open or closed, as its borrower follows it. */
  const follow = async (id: RFQ['rfqId']): Promise<FollowedAuction | null> => {
    const publicRfqId = publicIdOf(id)
    const running = auctions.get(publicRfqId)
    if (running) return running.state().rfq.rfqId === id ? running.follow() : null
    const record = await store.findAuction({ rfqId: id })
    if (!record) return null
    if (record.close) return closedAuction(record)
    const joined = await join(publicRfqId)
    if (joined) return joined.follow()
    const closed = await store.findAuction({ rfqId: id })
    // Open, but not taken up: this instance stops.
    if (closed?.close === null) throw new OverloadedError()
    return closed && closedAuction(closed)
  }

  const create = async (request: RFQRequest, address: string, key: AuctionKey | null): Promise<OpenOutcome> => {
    // Before anything is awaited, so that simultaneous requests cannot all be the last one admitted.
    const admission = limiter.acquire(address)
    if (!admission.ok) return admission
    let opened = false
    try {
      const series = await resolveSeries({ store, clock, sync }, request)
      if (!series.ok) return series
      if (draining) return { ok: false, rejection: { code: 'OVERLOADED' } }
      const record = newRecord(request, series.value)
      const written = await write(record, key)
      if (written === 'stopped') return { ok: false, rejection: { code: 'OVERLOADED' } }
      if (!written.opened) return await replay(written.existing, key)
      opened = true
      releases.set(record.publicRfqId, admission.value)
      return { ok: true, value: written.auction.follow() }
    } finally {
      if (!opened) admission.value()
      checkDrained()
    }
  }

  /** Writes the row, and starts the auction that it stands for. */
  const write = async (record: AuctionRecord, key: AuctionKey | null) => {
    const { rfq, publicRfqId, backers } = record
    creating.add(publicRfqId)
    try {
      const written = await store.openAuction({ rfq, publicRfqId, backers, key })
      if (!written.opened) return written
      // The row is there: the next start takes the auction up.
      if (stopped) return 'stopped'
      const { seriesKey, notional } = rfq
      log.info({ rfqId: publicRfqId, seriesKey, notional: String(notional), backers }, 'auction opened')
      observe?.auctionOpened()
      const auction = start({ record, announced: true, closeDelayMs: 0, interrupted: false })
      return { opened: true, auction } as const
    } finally {
      creating.delete(publicRfqId)
    }
  }

  const newRecord = (request: RFQRequest, series: Series): AuctionRecord => {
    const openedAt = Math.floor(clock.now())
    const rfq: RFQ = {
      rfqId: formatRfqId(random(rfqIdBytes)),
      poolId: series.poolId,
      seriesKey: series.seriesKey,
      expiry: series.expiry,
      notional: request.notional,
      ...(request.maxVrtAmount === undefined ? {} : { maxVrtAmount: request.maxVrtAmount }),
      ...(request.taker === undefined ? {} : { taker: request.taker }),
      openedAt,
      closesAt: openedAt + auctionDurationMs,
    }
    return { rfq, publicRfqId: publicIdOf(rfq.rfqId), backers: sessions.count(), quotes: [], close: null }
  }

  /** The auction that was opened with the same key, unless something else was asked with it. */
  const replay = async (
    existing: { rfqId: RFQ['rfqId']; request: string },
    key: AuctionKey | null,
  ): Promise<OpenOutcome> => {
    if (existing.request !== key?.request) return { ok: false, rejection: { code: 'IDEMPOTENCY_KEY_REUSED' } }
    const followed = await follow(existing.rfqId)
    return followed ? { ok: true, value: followed } : { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
  }

  const openWithKey = async (request: RFQRequest, { address }: Requester, key: AuctionKey): Promise<OpenOutcome> => {
    // A request that was answered before takes no place among the open ones.
    const existing = await store.findAuctionByKey(key.key, clock.now() - keyLifetimeMs)
    if (existing) return replay(existing, key)
    return draining ? { ok: false, rejection: { code: 'OVERLOADED' } } : create(request, address, key)
  }

  const submitTo = async (
    auction: LocalAuction,
    backer: Address,
    quote: SignedQuote,
    hash: Hex,
  ): Promise<SubmissionVerdict> => {
    submissions += 1
    const submission = submissions
    const answer = new Promise<SubmissionVerdict>((resolve) => acks.set(submission, { hash, resolve }))
    auction.submit({ submission, backer, quote, hash, now: chainNow(clock) })
    const verdict = await answer
    if (verdict.ok || verdict.rejection.code === 'OUTCOME_UNKNOWN') return verdict
    return (await acceptedElsewhere(auction.publicRfqId, backer, hash)) ?? verdict
  }

  /**
   * What is refused here may have been accepted before, by another instance that could not say so: what is in the rows is
   * not refused. Null when it is not.
   */
  const acceptedElsewhere = async (publicRfqId: PublicRfqId, backer: Address, hash: Hex) => {
    try {
      const entry = await store.findAuctionEntry(publicRfqId, backer)
      if (entry?.accepted?.hash !== hash) return null
      return { ok: true, value: { ...entry.accepted, closesAt: entry.closesAt } } as const
    } catch (err) {
      log.warn({ err, rfqId: publicRfqId }, 'the rows of an auction could not be read')
      return { ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } } as const
    }
  }

  const submit: AuctionHub['submit'] = async ({ backer, rfqId, quote }) => {
    const hash = signatures.hashQuote(quote)
    const known = auctions.get(rfqId)
    if (known) return submitTo(known, backer, quote, hash)
    const entry = await store.findAuctionEntry(rfqId, backer)
    if (!entry) return { ok: false, rejection: { code: 'RFQ_NOT_FOUND', rfqId } }
    const { accepted, closedAt, closesAt } = entry
    if (accepted?.hash === hash) return { ok: true, value: { ...accepted, closesAt } }
    if (closedAt !== null) return { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt } }
    const joined = await join(rfqId)
    if (joined) return submitTo(joined, backer, quote, hash)
    // It has closed meanwhile, or this instance stops.
    const closed = stopped ? null : await store.findAuctionEntry(rfqId, backer)
    return closed?.closedAt
      ? { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: closed.closedAt } }
      : { ok: false, rejection: { code: 'OVERLOADED' } }
  }

  return {
    async resume() {
      const open = await store.listOpenAuctions()
      await Promise.all(open.map(({ publicRfqId }) => join(publicRfqId, true)))
      if (open.length > 0) log.info({ auctions: open.length }, 'open auctions of an earlier process are taken up again')
      scheduleLook()
    },

    async open(request, requester) {
      if (!storage.isWritable()) return { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
      try {
        if (requester.key === undefined) {
          if (draining) return { ok: false, rejection: { code: 'OVERLOADED' } }
          return await create(request, requester.address, null)
        }
        const key = hashKey(requester.key, request)
        for (let known = opening.get(key.key); known; known = opening.get(key.key)) {
          if (known.request === key.request) return await known.outcome
          // Which of two requests has the key is what the store says afterwards.
          await known.outcome.catch(() => {})
        }
        const outcome = openWithKey(request, requester, key)
        opening.set(key.key, { request: key.request, outcome })
        return await outcome.finally(() => opening.delete(key.key))
      } catch (error) {
        if (!(error instanceof StorageUnavailableError)) throw error
        log.warn({ err: error }, 'an auction could not be opened')
        return { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
      }
    },

    async find(rfqId) {
      const running = auctions.get(publicIdOf(rfqId))
      if (running?.state().rfq.rfqId === rfqId) return running.result()
      const record = await store.findAuction({ rfqId })
      return record && auctionResult(record)
    },

    follow,

    join: (session) => sessions.join(session),

    async submit(submission) {
      answering += 1
      try {
        return await submit(submission)
      } finally {
        answering -= 1
        checkDrained()
      }
    },

    decline({ backer, rfqId, reason }) {
      if (auctions.has(rfqId)) log.debug({ rfqId, backer, reason }, 'a backer declined')
    },

    count: () => ({ open: auctions.size, backers: sessions.count() }),

    async drain() {
      draining = true
      await new Promise<void>((resolve) => {
        drained.push(resolve)
        checkDrained()
      })
      await sessions.flushed()
      // The answers are on their way to the sockets.
      await nextTurn()
    },

    endFollowing() {
      for (const auction of auctions.values()) auction.endFollowing()
    },

    stop() {
      draining = true
      stopped = true
      cancelLook()
      for (const auction of auctions.values()) auction.stop()
      auctions.clear()
      // What was being stored may be on disk.
      for (const { hash, resolve } of acks.values()) {
        resolve({ ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } })
      }
      acks.clear()
    },
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
