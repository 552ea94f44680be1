import type { AuctionResultMessage, PublicRfqId, RFQBroadcast } from '@firmquote/core'
import type { Clock } from '../ports/clock.ts'
import type { Service } from '../ports/service.ts'
import type { KeptQuote, Store } from '../ports/store.ts'
import type { QuoteDesk } from './quoteDesk.ts'

/** What decides, at this very moment, whether RFQs are answered. */
export type Mode = {
  paused: boolean
  /** The nonce is being raised: what is signed now would be dead at once. */
  raising: boolean
  stopping: boolean
}

/** What an RFQ desk works with. */
export type RfqDeskDeps = {
  desk: QuoteDesk
  store: Store
  service: Service
  clock: Clock
  mode: Readonly<Mode>
  log: {
    info(facts: object, message: string): void
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
}

/** Answers the RFQs of a service, one quote for each. */
export type RfqDesk = {
  receive(rfq: RFQBroadcast): void
  close(result: AuctionResultMessage): void
  /** The RFQs that are open now. */
  open(): RFQBroadcast[]
  /** Answers what is open and was left unanswered. */
  resume(): void
  /** Resolves when every answer under way is done. */
  settled(): Promise<void>
}

/** How many RFQs are remembered, so that a service without an end of them does not fill the memory. */
const mostOpen = 10_000
/** After a failure an RFQ is tried again so often, and so many milliseconds later. */
const mostTries = 3
const tryAgainMs = 1_000

/** Opens the desk. */
export function createRfqDesk({ desk, store, service, clock, mode, log }: RfqDeskDeps): RfqDesk {
  const known = new Map<PublicRfqId, { rfq: RFQBroadcast; until: number }>()
  const answering = new Map<string, Promise<void>>()
  const declined = new Set<string>()
  const failures = new Map<string, number>()

  const isOpen = ({ rfqId }: RFQBroadcast) => (known.get(rfqId)?.until ?? 0) > clock.now()
  /** Asked again after every wait: a pause or the close takes effect at once. */
  const isWithdrawn = (rfq: RFQBroadcast) => mode.paused || !isOpen(rfq)

  function start(rfq: RFQBroadcast): void {
    const { rfqId } = rfq
    if (mode.paused || mode.stopping || answering.has(rfqId) || declined.has(rfqId)) return
    const work = answer(rfq)
      .catch((err: unknown) => {
        log.error({ err, rfqId }, 'an RFQ could not be answered')
        tryAgain(rfq)
      })
      .finally(() => answering.delete(rfqId))
    answering.set(rfqId, work)
  }

  /** A node or a line may be back in a moment. What has been promised meanwhile is sent again as it is. */
  function tryAgain(rfq: RFQBroadcast): void {
    const count = (failures.get(rfq.rfqId) ?? 0) + 1
    failures.set(rfq.rfqId, count)
    if (count > mostTries) return
    clock.after(tryAgainMs, () => {
      if (isOpen(rfq) && service.isAuthenticated()) start(rfq)
    })
  }

  async function answer(rfq: RFQBroadcast): Promise<void> {
    const { rfqId } = rfq
    const earlier = await store.findByRfq(rfqId)
    // The very same quote again, signed or not, promises nothing more. This is where a daemon goes on that was killed.
    if (earlier) return earlier.verdict === 'unknown' ? send(rfq, earlier) : undefined
    if (mode.raising) return refuse(rfq, 'NONCE_RISING', 'The nonce is being raised.')
    const priced = await desk.price(rfq)
    if (isWithdrawn(rfq)) return
    if (priced.kind === 'decline') return refuse(rfq, priced.code, priced.reason)
    if (mode.raising) return refuse(rfq, 'NONCE_RISING', 'The nonce is being raised.')
    const kept = await desk.promise(desk.write(rfq, priced.answer), rfqId, priced.view)
    if (!kept) return refuse(rfq, 'NOT_AFFORDABLE', 'Another quote has taken the funds meanwhile.')
    if (isWithdrawn(rfq)) return desk.release(kept.hash)
    await send(rfq, kept)
  }

  async function send(rfq: RFQBroadcast, kept: KeptQuote): Promise<void> {
    const { rfqId } = rfq
    const { hash, quote } = kept
    const signed = await desk.sign(kept)
    if (isWithdrawn(rfq)) return
    const ack = await service.submit(rfqId, signed)
    const code = ack.status === 'rejected' ? ack.code : null
    await store.keepVerdict(hash, ack.status, code)
    const facts = { rfqId, hash, notional: String(quote.notional), vrtAmount: String(quote.vrtAmount) }
    if (ack.status === 'accepted') log.info(facts, 'quoted')
    else log.warn({ ...facts, code, message: ack.message }, 'the service refused a quote')
  }

  function refuse({ rfqId }: RFQBroadcast, code: string, reason: string): void {
    declined.add(rfqId)
    log.info({ rfqId, code, reason }, 'declined')
    // The code alone: the sentence may tell what the maker has, and where his limits are.
    service.decline(rfqId, code)
  }

  function forget(rfqId: PublicRfqId): void {
    known.delete(rfqId)
    declined.delete(rfqId)
    failures.delete(rfqId)
  }

  return {
    receive(rfq) {
      for (const [rfqId, { until }] of known) if (until <= clock.now()) forget(rfqId)
      if (known.size >= mostOpen) return
      // The service's clock may be another: what counts is how long an auction lasts. The service tells its end, too.
      known.set(rfq.rfqId, { rfq, until: clock.now() + rfq.closesAt - rfq.openedAt })
      start(rfq)
    },
    close({ rfqId, own, quoteCount }) {
      forget(rfqId)
      if (!own) return
      log.info(
        { rfqId, hash: own.hash, rank: own.rank, quoteCount },
        own.rank === 1 ? 'won an auction' : 'an auction has closed',
      )
      // It took part, so it was accepted, also where the acknowledgement was lost.
      void store
        .keepVerdict(own.hash, 'accepted', null)
        .catch((err: unknown) => log.error({ err, rfqId }, 'a verdict could not be kept'))
    },
    open: () => [...known.values()].map(({ rfq }) => rfq).filter(isOpen),
    resume() {
      for (const { rfq } of known.values()) if (isOpen(rfq)) start(rfq)
    },
    async settled() {
      await Promise.all(answering.values())
    },
  }
}
