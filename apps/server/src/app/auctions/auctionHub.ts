import { type RFQ, type RFQRequest, type RFQResult, type RFQStreamEvent, toRfqId } from '@firmquote/core'
import { step } from '../../domain/auction.ts'
import { type AuctionEffect, type AuctionEvent, type AuctionState, auctionResult } from '../../domain/auctionState.ts'
import { formatRfqId, publicRfqId, rfqIdBytes } from '../../domain/rfqIds.ts'
import type { Series } from '../../ports/chain.ts'
import { AuctionAbortedError } from '../../ports/errors.ts'
import type { Sync } from '../chain/sync.ts'
import { chainNow } from '../quotes/judgeQuote.ts'
import type { AuctionHub, OpenAuction, OpenRefusal, Outcome, SubmissionVerdict } from '../service.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { createBackerSessions } from './backerSessions.ts'
import { createRequestCounter } from './requestLimits.ts'
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
  /** Gives back the requester's place and the timer. */
  release: () => void
}

/** How many closed auctions are remembered, to tell a late quote from a lost one. */
const rememberedCloses = 10_000
/** How many results wait in memory when the store does not take them. */
const rememberedResults = 1_000

/**
 * Runs the auctions. The decisions are the state machine's; this shell gives it the time and the verdicts, and does what
 * follows from its steps.
 */
export function createAuctionHub(deps: ServiceDeps, sync: Pick<Sync, 'status' | 'cycle'>): AuctionHub {
  const { clock, store, bus, random, signatures, limits, auctionDurationMs, log } = deps
  const auctions = new Map<string, RunningAuction>()
  const closes = new Map<string, number>()
  const unrecorded = new Map<string, RFQResult>()
  const acks = new Map<number, (verdict: SubmissionVerdict) => void>()
  const closing = new Set<Promise<void>>()
  const sessions = createBackerSessions({ bus, clock })
  const counter = createRequestCounter(clock, limits)
  const judge = createSubmissionJudge(deps)
  let submissions = 0
  let stopping: Promise<void> | null = null

  const timeOf = ({ state, startedAt }: RunningAuction) =>
    state.rfq.openedAt + Math.floor(clock.monotonic() - startedAt)

  const dispatch = (auction: RunningAuction, event: AuctionEvent): Promise<void> => {
    const { state, effects } = step(auction.state, event)
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
          if (effect.subject === 'rfq') sessions.announce(effect.rfq)
          else sessions.conclude(effect.outcome)
          break
        case 'judge':
          void judgeSubmission(auction, effect)
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

  const judgeSubmission = async (auction: RunningAuction, effect: Extract<AuctionEffect, { type: 'judge' }>) => {
    const { submission, backer, collected } = effect
    const { quote } = collected
    const { rfq, publicId } = auction.state
    const rejection = await judge(
      { ...collected, createdAt: collected.receivedAt, rfqId: rfq.rfqId, publicRfqId: publicId, expiry: rfq.expiry },
      () => auction.state.phase === 'open',
    )
    await dispatch(auction, { type: 'quoteJudged', submission, backer, quote, rejection })
  }

  // Whoever sees the end of an auction can read its result again; a store that fails does not hold back the close.
  const record = async (result: RFQResult) => {
    try {
      await store.insertResult(result)
    } catch (error) {
      remember(unrecorded, result.rfqId, result, rememberedResults)
      log.error({ err: error, rfqId: publicRfqId(result.rfqId) }, 'the result of an auction could not be stored')
    }
  }

  const close = (auction: RunningAuction, { result, aborted }: Extract<AuctionEffect, { type: 'close' }>) => {
    const { publicId } = auction.state
    auctions.delete(publicId)
    remember(closes, publicId, result.closedAt ?? result.closesAt, rememberedCloses)
    auction.listeners.clear()
    auction.release()
    if (aborted) auction.settle.reject(new AuctionAbortedError())
    else auction.settle.resolve(result)
    const { backers, rejectedCount, quotes } = result
    log.info({ rfqId: publicId, backers, quotes: quotes.length, rejectedCount, aborted }, 'auction closed')
  }

  const start = (request: RFQRequest, series: Series, giveBack: () => void): OpenAuction => {
    const openedAt = Math.floor(clock.now())
    const rfq: RFQ = {
      rfqId: toRfqId(formatRfqId(random(rfqIdBytes))),
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
    const { state, effects } = step(null, { type: 'opened', rfq, publicId, backers, lifetime })
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
        giveBack()
      },
    }
    // A streaming borrower never looks at it.
    result.catch(() => {})
    const stopTimer = clock.after(auctionDurationMs, () => {
      void dispatch(auction, { type: 'deadlineReached', at: timeOf(auction) })
    })
    auctions.set(publicId, auction)
    void perform(auction, effects)
    log.info({ rfqId: publicId, seriesKey: rfq.seriesKey, notional: String(rfq.notional), backers }, 'auction opened')
    return {
      rfq,
      backers,
      listen(listener) {
        for (const event of auction.events) listener(event)
        // After the last event there is nothing to wait for.
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
      // Taken before anything is awaited, so that requests at the same time cannot all have the last place.
      const place = counter.take(requester)
      if (!place.ok) return place
      let opened = false
      try {
        const found = await resolveSeries({ store, clock, sync }, request)
        if (!found.ok) return found
        if (stopping) return { ok: false, rejection: { code: 'OVERLOADED' } }
        opened = true
        return { ok: true, value: start(request, found.value, place.value) }
      } finally {
        if (!opened) place.value()
      }
    },

    async find(rfqId) {
      const running = auctions.get(publicRfqId(rfqId))
      if (running?.state.rfq.rfqId === rfqId) return auctionResult(running.state)
      return unrecorded.get(rfqId) ?? (await store.findResult(rfqId))
    },

    join: (session) => sessions.join(session),

    async submit({ backer, rfqId, quote }) {
      const auction = auctions.get(rfqId)
      if (!auction) {
        const closedAt = closes.get(rfqId)
        return {
          ok: false,
          rejection: closedAt === undefined ? { code: 'RFQ_NOT_FOUND', rfqId } : { code: 'AUCTION_CLOSED', closedAt },
        }
      }
      const hash = signatures.hashQuote(quote)
      submissions += 1
      const submission = submissions
      const verdict = new Promise<SubmissionVerdict>((resolve) => acks.set(submission, resolve))
      const [at, now] = [timeOf(auction), chainNow(clock)]
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
          void dispatch(auction, { type: 'aborted', at: timeOf(auction), code, message })
        }
        await Promise.all(closing)
        await sessions.told()
      })()
      return stopping
    },
  }
}

/** Maps keep their order: the oldest goes first. */
function remember<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
