import type { PublicRfqId, RFQ, RFQRequest, RFQResult, RFQStreamEvent, RfqId } from '@firmquote/core'
import { LRUCache } from 'lru-cache'
import { applyAuctionEvent } from '../../domain/applyAuctionEvent.ts'
import { type AuctionEffect, type AuctionEvent, type AuctionState, auctionResult } from '../../domain/auctionState.ts'
import { formatRfqId, publicRfqId, rfqIdBytes } from '../../domain/rfqIds.ts'
import type { Series } from '../../ports/chain.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { Sync } from '../chain/sync.ts'
import type { AuctionHub, OpenAuction, OpenRefusal, Outcome, SubmissionVerdict } from '../service.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { AuctionAbortedError } from './auctionAbortedError.ts'
import { createBackerSessions } from './backerSessions.ts'
import { createRequestLimiter } from './requestLimiter.ts'
import { resolveSeries } from './resolveSeries.ts'
import { createSubmissionJudge } from './submissionJudge.ts'

/** An auction that this process runs. */
type RunningAuction = {
  state: AuctionState
  /** Monotonic milliseconds at the opening. */
  startedAt: number
  events: RFQStreamEvent[]
  listeners: Set<(event: RFQStreamEvent) => void>
  settle: { resolve(result: RFQResult): void; reject(error: AuctionAbortedError): void }
  /** Cancels the timer and ends the auction's count against its requester. */
  release: () => void
}

/** How many closed auctions are kept, to answer a late quote with AUCTION_CLOSED rather than RFQ_NOT_FOUND. */
const maxClosed = 10_000
/** How many results that the store could not take are kept in memory. */
const maxUnrecorded = 1_000

/** Runs the auctions. `applyAuctionEvent` decides; this shell provides time and verdicts and performs the effects. */
export function createAuctionHub(deps: ServiceDeps, sync: Pick<Sync, 'status' | 'cycle'>): AuctionHub {
  const { clock, store, bus, random, signatures, limits, auctionDurationMs, log } = deps
  const auctions = new Map<PublicRfqId, RunningAuction>()
  // Both are read by peek, which does not refresh an entry: the oldest is dropped first, however often others are read.
  const closedAt = new LRUCache<PublicRfqId, number>({ max: maxClosed })
  const unrecorded = new LRUCache<RfqId, RFQResult>({ max: maxUnrecorded })
  const acks = new Map<number, (verdict: SubmissionVerdict) => void>()
  const closing = new Set<Promise<void>>()
  const sessions = createBackerSessions({ bus, clock })
  const limiter = createRequestLimiter(clock, limits)
  const submissionJudge = createSubmissionJudge(deps)
  let submissions = 0
  let stopping: Promise<void> | null = null

  const auctionTime = ({ state, startedAt }: RunningAuction) =>
    state.rfq.openedAt + Math.floor(clock.monotonic() - startedAt)

  const dispatch = (auction: RunningAuction, event: AuctionEvent): Promise<void> => {
    const { state, effects } = applyAuctionEvent(auction.state, event)
    if (state !== null) auction.state = state
    const done = perform(auction, effects).catch((error: unknown) => {
      log.error({ err: error, rfqId: auction.state.publicId }, 'an effect of an auction failed')
    })
    if (event.type === 'deadlineReached' || event.type === 'aborted') {
      closing.add(done)
      void done.finally(() => closing.delete(done))
    }
    return done
  }

  const perform = async (auction: RunningAuction, effects: readonly AuctionEffect[]) => {
    for (const effect of effects) {
      switch (effect.type) {
        case 'broadcast':
          if (effect.subject === 'rfq') sessions.broadcastRfq(effect.rfq)
          else sessions.broadcastOutcome(effect.outcome)
          break
        case 'judge':
          void judgeAndStore(auction, effect)
          break
        case 'ack':
          acks.get(effect.submission)?.(effect.verdict)
          acks.delete(effect.submission)
          break
        case 'emit':
          auction.events.push(effect.event)
          for (const listener of [...auction.listeners]) listener(effect.event)
          break
        case 'record':
          await record(effect.result)
          break
        case 'close':
          close(auction, effect)
          break
      }
    }
  }

  const judgeAndStore = async (auction: RunningAuction, effect: Extract<AuctionEffect, { type: 'judge' }>) => {
    const { submission, backer, collected } = effect
    const { quote } = collected
    const { rfq, publicId } = auction.state
    const rejection = await submissionJudge(
      { ...collected, createdAt: collected.receivedAt, rfqId: rfq.rfqId, publicRfqId: publicId, expiry: rfq.expiry },
      () => auction.state.phase === 'open',
    )
    await dispatch(auction, { type: 'quoteJudged', submission, backer, quote, rejection })
  }

  // Stored before the close is announced, so that the result can be read again; a store that fails does not delay the close.
  const record = async (result: RFQResult) => {
    try {
      await store.insertResult(result)
    } catch (error) {
      unrecorded.set(result.rfqId, result)
      log.error({ err: error, rfqId: publicRfqId(result.rfqId) }, 'the result of an auction could not be stored')
    }
  }

  const close = (auction: RunningAuction, { result, aborted }: Extract<AuctionEffect, { type: 'close' }>) => {
    const { publicId } = auction.state
    auctions.delete(publicId)
    closedAt.set(publicId, result.closedAt ?? result.closesAt)
    auction.listeners.clear()
    auction.release()
    if (aborted) auction.settle.reject(new AuctionAbortedError())
    else auction.settle.resolve(result)
    const { backers, rejectedCount, quotes } = result
    log.info({ rfqId: publicId, backers, quotes: quotes.length, rejectedCount, aborted }, 'auction closed')
  }

  const start = (request: RFQRequest, series: Series, releaseRequester: () => void): OpenAuction => {
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
    const publicId = publicRfqId(rfq.rfqId)
    const backers = sessions.count()
    const lifetime = { min: limits.minQuoteLifetimeSeconds, max: limits.maxQuoteLifetimeSeconds }
    const { state, effects } = applyAuctionEvent(null, { type: 'opened', rfq, publicId, backers, lifetime })
    if (state === null) throw new AuctionAbortedError()
    let settle: RunningAuction['settle'] = { resolve: () => {}, reject: () => {} }
    const result = new Promise<RFQResult>((resolve, reject) => {
      settle = { resolve, reject }
    })
    const auction: RunningAuction = {
      state,
      startedAt: clock.monotonic(),
      events: [],
      listeners: new Set(),
      settle,
      release: () => {
        stopTimer()
        releaseRequester()
      },
    }
    // A borrower who streams does not await it.
    result.catch(() => {})
    const stopTimer = clock.after(auctionDurationMs, () => {
      void dispatch(auction, { type: 'deadlineReached', at: auctionTime(auction) })
    })
    auctions.set(publicId, auction)
    void perform(auction, effects)
    log.info({ rfqId: publicId, seriesKey: rfq.seriesKey, notional: String(rfq.notional), backers }, 'auction opened')
    return {
      rfq,
      backers,
      listen(listener) {
        for (const event of auction.events) listener(event)
        if (auctions.has(publicId)) auction.listeners.add(listener)
        return () => {
          auction.listeners.delete(listener)
        }
      },
      result,
    }
  }

  return {
    async open(request, requester): Promise<Outcome<OpenAuction, OpenRefusal>> {
      if (stopping) return { ok: false, rejection: { code: 'OVERLOADED' } }
      // Before anything is awaited, so that simultaneous requests cannot all be the last one admitted.
      const admission = limiter.acquire(requester)
      if (!admission.ok) return admission
      let opened = false
      try {
        const series = await resolveSeries({ store, clock, sync }, request)
        if (!series.ok) return series
        if (stopping) return { ok: false, rejection: { code: 'OVERLOADED' } }
        opened = true
        return { ok: true, value: start(request, series.value, admission.value) }
      } finally {
        if (!opened) admission.value()
      }
    },

    async find(rfqId) {
      const running = auctions.get(publicRfqId(rfqId))
      if (running?.state.rfq.rfqId === rfqId) return auctionResult(running.state)
      return unrecorded.peek(rfqId) ?? (await store.findResult(rfqId))
    },

    join: (session) => sessions.join(session),

    async submit({ backer, rfqId, quote }) {
      const auction = auctions.get(rfqId)
      if (!auction) {
        const closed = closedAt.peek(rfqId)
        return {
          ok: false,
          rejection:
            closed === undefined ? { code: 'RFQ_NOT_FOUND', rfqId } : { code: 'AUCTION_CLOSED', closedAt: closed },
        }
      }
      const hash = signatures.hashQuote(quote)
      submissions += 1
      const submission = submissions
      const verdict = new Promise<SubmissionVerdict>((resolve) => acks.set(submission, resolve))
      const [at, now] = [auctionTime(auction), chainNow(clock)]
      void dispatch(auction, { type: 'quoteSubmitted', submission, backer, quote, hash, at, now })
      return verdict
    },

    decline({ backer, rfqId, reason }) {
      if (auctions.has(rfqId)) log.debug({ rfqId, backer, reason }, 'a backer declined')
    },

    count: () => ({ open: auctions.size, backers: sessions.count() }),

    shutDown() {
      stopping ??= (async () => {
        const { code, shortMessage: message } = new AuctionAbortedError()
        for (const auction of [...auctions.values()]) {
          void dispatch(auction, { type: 'aborted', at: auctionTime(auction), code, message })
        }
        await Promise.all(closing)
        await sessions.flushed()
      })()
      return stopping
    },
  }
}
