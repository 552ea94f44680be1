import { type AuctionResultMessage, isTemporary, type PublicRfqId, type RFQBroadcast } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { PricedQuote } from '../domain/priceRfq.ts'
import type { Service } from '../ports/service.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'
import type { Tracing } from '../ports/tracing.ts'
import type { Counts } from './daemonMetrics.ts'
import { isOutcomeUnknown } from './isOutcomeUnknown.ts'
import type { QuoteSigning } from './quoteSigning.ts'

/** Determines whether RFQs are answered. */
export type Mode = {
  paused: boolean
  /** The nonce is being raised. A quote signed now would become invalid immediately. */
  raising: boolean
  stopping: boolean
}

/** Dependencies of {@link createRfqAnswering}. */
export type RfqAnsweringDeps = {
  signing: QuoteSigning
  store: Store
  service: Service
  clock: Clock
  mode: Readonly<Mode>
  /** Whether to price RFQs without sending anything to the service. */
  dryRun: boolean
  /** If absent, tracing is off. */
  tracing?: Tracing
  counts: Pick<Counts, 'verdict' | 'declined' | 'rankedFirst'>
  log: {
    info(facts: object, message: string): void
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
}

/** Answers a service's RFQs with one quote each. */
export type RfqAnswering = {
  receive(rfq: RFQBroadcast): void
  close(result: AuctionResultMessage): void
  /** Returns a received RFQ, or null once it has closed. */
  find(rfqId: PublicRfqId): RFQBroadcast | null
  /** The open RFQs. */
  open(): RFQBroadcast[]
  /** Answers open RFQs that have not been answered yet. */
  resume(): void
  /** Resolves when all pending answers are done. */
  settled(): Promise<void>
}

/** Maximum number of RFQs in memory. */
const maxOpenRfqs = 10_000
/** Maximum number of retries after a failure, and the delay before each retry in milliseconds. */
const maxRetries = 3
const retryMs = 1_000

/** Creates an {@link RfqAnswering}. */
export function createRfqAnswering(deps: RfqAnsweringDeps): RfqAnswering {
  const { signing, store, service, clock, mode, dryRun, counts, log, tracing } = deps
  const known = new Map<PublicRfqId, { rfq: RFQBroadcast; until: number }>()
  const answering = new Map<string, Promise<void>>()
  const declined = new Set<string>()
  const failures = new Map<string, number>()

  const isOpen = ({ rfqId }: RFQBroadcast) => (known.get(rfqId)?.until ?? 0) > clock.now()
  /** Checked after every wait, so that a pause or the auction's close takes effect immediately. */
  const isWithdrawn = (rfq: RFQBroadcast) => mode.paused || !isOpen(rfq)

  function start(rfq: RFQBroadcast): void {
    const { rfqId } = rfq
    if (mode.paused || mode.stopping || answering.has(rfqId) || declined.has(rfqId)) return
    const work = (tracing ? answerTraced(rfq, tracing) : answer(rfq))
      .catch((err: unknown) => {
        log.error({ err, rfqId }, 'failed to answer an RFQ')
        retry(rfq)
      })
      .finally(() => answering.delete(rfqId))
    answering.set(rfqId, work)
  }

  /**
   * Retries an RFQ after the node or the connection has failed. A quote that is already reserved is sent again
   * unchanged.
   */
  function retry(rfq: RFQBroadcast): void {
    const count = (failures.get(rfq.rfqId) ?? 0) + 1
    failures.set(rfq.rfqId, count)
    if (count > maxRetries) return
    clock.after(retryMs, () => {
      if (isOpen(rfq) && service.isAuthenticated()) start(rfq)
    })
  }

  /** Answers within the RFQ's trace. The service has already decided whether to sample the trace. */
  async function answerTraced(rfq: RFQBroadcast, { begin, run }: Tracing): Promise<void> {
    const { rfqId, poolId, seriesKey, traceparent: parent } = rfq
    const attributes = {
      'messaging.system': 'firmquote',
      'messaging.destination.name': 'rfq',
      'messaging.operation.type': 'process',
      'firmquote.rfq.id': rfqId,
      'firmquote.pool.id': poolId,
      'firmquote.series.key': seriesKey,
    }
    const span = begin('answer rfq', { kind: 'consumer', parent, isOwn: true, attributes })
    try {
      await run(span, () => answer(rfq))
    } catch (error) {
      span?.fail(error instanceof Error ? error.name : 'Error')
      throw error
    } finally {
      span?.end()
    }
  }

  async function answer(rfq: RFQBroadcast): Promise<void> {
    const { rfqId } = rfq
    const earlier = await store.findByRfq(rfqId)
    // Sending the same quote again reserves no additional funds. A daemon that was killed while sending resends the
    // quote here.
    if (earlier) return earlier.verdict === 'unknown' ? send(rfq, earlier) : undefined
    if (mode.raising) return decline(rfq, 'NONCE_RISING', 'The nonce is being raised.')
    const asker = rfq.takerVerified === true && rfq.taker ? 'verified' : 'unverified'
    const priced = await signing.price(rfq, asker)
    if (isWithdrawn(rfq)) return
    if (priced.kind === 'decline') return decline(rfq, priced.code, priced.reason)
    if (dryRun) return logOnly(rfq, priced.answer)
    if (mode.raising) return decline(rfq, 'NONCE_RISING', 'The nonce is being raised.')
    const record = await signing.reserve(signing.buildQuote(rfq, priced.answer), { rfqId, asker }, priced.view)
    if (!record) return decline(rfq, 'NOT_AFFORDABLE', 'Another quote has reserved the funds.')
    if (isWithdrawn(rfq)) return signing.release(record.hash)
    await send(rfq, record)
  }

  async function send(rfq: RFQBroadcast, record: SignedQuoteRecord): Promise<void> {
    const { rfqId } = rfq
    const { hash, quote } = record
    const signed = await signing.sign(record)
    if (isWithdrawn(rfq)) return
    const ack = await service.submit(rfqId, signed)
    const code = ack.status === 'rejected' ? ack.code : null
    tracing?.current()?.set({ 'firmquote.code': code ?? 'ACCEPTED' })
    const facts = { rfqId, hash, notional: String(quote.notional), vrtAmount: String(quote.vrtAmount) }
    if (isOutcomeUnknown(ack)) {
      log.warn(
        { ...facts, code },
        'the service has not confirmed yet that it stored a quote; sending the same quote again',
      )
      return retry(rfq)
    }
    // The service has not judged the quote, so the verdict remains unknown. If the daemon is killed now, it resends the
    // quote after the restart.
    if (code !== null && isTemporary(code) && (failures.get(rfqId) ?? 0) < maxRetries) {
      log.warn({ ...facts, code }, 'the service failed to judge a quote; sending the same quote again')
      return retry(rfq)
    }
    counts.verdict(code ?? 'ACCEPTED')
    await store.saveVerdict(hash, ack.status, code)
    if (ack.status === 'accepted') log.info(facts, 'quoted')
    else log.warn({ ...facts, code, message: ack.message }, 'the service rejected a quote')
  }

  function logOnly({ rfqId }: RFQBroadcast, { notional, vrtAmount, deadline }: PricedQuote): void {
    // Do not log the RFQ again after a reconnect.
    declined.add(rfqId)
    const facts = { notional: String(notional), vrtAmount: String(vrtAmount), deadline: String(deadline) }
    log.info({ rfqId, ...facts }, 'would quote')
  }

  function decline({ rfqId }: RFQBroadcast, code: string, reason: string): void {
    declined.add(rfqId)
    counts.declined(code)
    tracing?.current()?.set({ 'firmquote.code': code })
    log.info({ rfqId, code, reason }, 'declined')
    // Send only the code, because the reason may reveal the maker's funds and limits. A dry run sends nothing: another
    // daemon with the same key may be quoting.
    if (!dryRun) service.decline(rfqId, code)
  }

  function forget(rfqId: PublicRfqId): void {
    known.delete(rfqId)
    declined.delete(rfqId)
    failures.delete(rfqId)
  }

  return {
    receive(rfq) {
      for (const [rfqId, { until }] of known) if (until <= clock.now()) forget(rfqId)
      if (known.size >= maxOpenRfqs) return
      // Use only the auction's duration, because the service's clock may differ. The service also announces the
      // auction's close.
      known.set(rfq.rfqId, { rfq, until: clock.now() + rfq.closesAt - rfq.openedAt })
      start(rfq)
    },
    close({ rfqId, own, outcome, quoteCount }) {
      forget(rfqId)
      if (!own) return
      const isFirst = outcome === 'best' || own.rank === 1
      if (isFirst) counts.rankedFirst()
      log.info(
        { rfqId, hash: own.hash, outcome, quoteCount },
        // Older services send the rank instead of the outcome.
        isFirst ? 'ranked first' : 'auction closed',
      )
      // The quote took part in the auction, so it was accepted even if the acknowledgement was lost.
      void store
        .saveVerdict(own.hash, 'accepted', null)
        .catch((err: unknown) => log.error({ err, rfqId }, 'failed to save a verdict'))
    },
    find: (rfqId) => known.get(rfqId)?.rfq ?? null,
    open: () => [...known.values()].map(({ rfq }) => rfq).filter(isOpen),
    resume() {
      for (const { rfq } of known.values()) if (isOpen(rfq)) start(rfq)
    },
    async settled() {
      await Promise.all(answering.values())
    },
  }
}
